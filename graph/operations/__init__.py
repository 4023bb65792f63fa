"""What operators see and set, and the services of a deployment in one place."""
