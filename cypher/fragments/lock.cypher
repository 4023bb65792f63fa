// takes the write lock of the node until the transaction ends; leaves no property behind
SET memory.locked_at = true
REMOVE memory.locked_at
