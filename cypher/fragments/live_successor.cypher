// Whether what took the place of a memory is live, has begun to hold and is within the scope.
successor.active AND coalesce(successor.expires_at > $now, true) AND coalesce(successor.t_valid <= $now, true)
// include: in_scope of successor
