"""What `practica demo`, `cv` and `compare` share: tables in, experiments, records and pictures out."""
