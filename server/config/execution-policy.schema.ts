/** What an agent run may do, as it is stored with the run and handed to the adapter. Nothing after the order may widen it. */
import { z } from "zod";
import { AGENT_APPROVALS, AGENT_SANDBOXES, AGENT_TIME } from "./execution-policy.rules";

/** One secret that the run may use: the reference that the provider's configuration names, never a value. */
const providerCredentialSchema = z.strictObject({
  /** The provider (backend profile) it belongs to. */
  profile: z.string().min(1).max(100),
  /** `env:NAME`, `${NAME}` or `file:/path`, as configured. */
  secretRef: z.string().min(1).max(1_000),
});

/** As an order gives it: what is left out is the narrowest. */
export const executionPolicyOrderSchema = z.strictObject({
  /** Absolute path of the folder to work in; left out = an empty folder of the run's own. */
  workspace: z.string().min(1).max(4_096).optional(),
  network: z.boolean().default(false),
  approval: z.enum(AGENT_APPROVALS).default("never"),
  sandbox: z.enum(AGENT_SANDBOXES).default("read-only"),
  /** Milliseconds for one turn, waiting for people included. */
  timeoutMs: z.int().min(AGENT_TIME.turn.min).max(AGENT_TIME.turn.max).default(AGENT_TIME.turn.usual),
  /** Milliseconds a person has to answer a question; then it counts as declined. */
  approvalMs: z.int().min(AGENT_TIME.approval.min).max(AGENT_TIME.approval.max).default(AGENT_TIME.approval.usual),
  secretScope: z.strictObject({ providerCredentials: z.array(providerCredentialSchema).max(20) }).optional(),
});
export type ExecutionPolicyOrder = z.infer<typeof executionPolicyOrderSchema>;

/** As it is stored: everything is said. */
export const executionPolicySchema = executionPolicyOrderSchema.extend({
  workspace: z.string().min(1),
  secretScope: z.strictObject({ providerCredentials: z.array(providerCredentialSchema) }),
});
export type ExecutionPolicy = z.infer<typeof executionPolicySchema>;
