"""What students start with: `practica new` makes the folder that they work in."""
