"""What runs in the process of the student's file, and nothing else."""
