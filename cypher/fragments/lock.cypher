// its write lock, until the transaction ends; nothing stays behind
SET memory.locked_at = true
REMOVE memory.locked_at
