"""What students run: `practica new` makes the folder that they work in, `practica check` looks at their file."""
