"""What people and programs touch: surfaces, adapters, embedded servers, and the wiring of them."""
