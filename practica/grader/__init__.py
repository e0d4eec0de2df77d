"""A student's file in, a fair and explained mark out; the verdict never enters the student's process."""
