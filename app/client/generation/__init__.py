"""What the generated client is made with beside the SDL and the operations; no part of what is installed."""
