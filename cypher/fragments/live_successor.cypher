// Whether the superseding memory is live, already valid and within the scope.
successor.active AND coalesce(successor.expires_at > $now, true) AND coalesce(successor.t_valid <= $now, true)
// include: in_scope of successor
