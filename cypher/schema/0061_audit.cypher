// name: 0061_audit
// mode: schema
// why: the audit by age; a key by the secret it had before its rotation
CYPHER 25
CREATE CONSTRAINT audit_entry_id_unique IF NOT EXISTS FOR (n:AuditEntry) REQUIRE n.id IS UNIQUE
;
CYPHER 25
CREATE INDEX audit_entry_at IF NOT EXISTS FOR (n:AuditEntry) ON (n.at)
;
CYPHER 25
CREATE CONSTRAINT api_key_previous_hash_unique IF NOT EXISTS FOR (n:ApiKey) REQUIRE n.previous_hash IS UNIQUE
