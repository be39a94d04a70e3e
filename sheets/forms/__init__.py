"""Forms turn typing into values and say in words what is wrong with it. They never write."""
