// name: redact_audit
// mode: write
// returns: none
// unscoped: audit entries belong to the deployment; the query redacts entries about one workspace
// param: about string — the workspace
// param: subject_ids list<string> — subjects to remove from the entries
// allow: NodeByLabelScan — runs once for each batch of an erasure; the audit is small and has no index on subject_id
CYPHER 25
MATCH (entry:AuditEntry)
WHERE entry.about = $about AND entry.subject_id IN $subject_ids
SET entry.subject_id = null
