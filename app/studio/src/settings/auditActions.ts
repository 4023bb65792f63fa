import type { AuditAction } from "../../generated/operations";
import en from "../i18n/en.json";

/** The acts that are noted, as the texts name them; the type holds them to the schema. */
export const AUDIT_ACTIONS = Object.keys(en.auditAction) as AuditAction[];
