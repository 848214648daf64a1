import type {
  AgentCommandOrder,
  AgentRunDetail,
  ApprovalDecisionOrder,
  ApprovalView,
  CommandView,
  CreateAgentRun,
} from "./agent-run.schema";

/**
 * What a caller may do with agent runs, beside what every run has (list, events, artifacts). Unknown ids throw AppError
 * `not_found`, what the state or the policy forbids `conflict` or `forbidden`, with a sentence that says what to do.
 */
export interface AgentRunService {
  /** Checks the policy, stores run and first turn in one transaction; nothing runs yet. */
  create(body: CreateAgentRun): Promise<AgentRunDetail>;
  get(id: string): Promise<AgentRunDetail>;
  /**
   * The message that the turn under way is writing, bounded and redacted; null when there is none. Progress only: it is not stored, it
   * is not the reply, and only the process that runs the turn knows it.
   */
  writing(id: string): string | null;
  /**
   * A further turn, which waits for the one under way; or an interrupt of that one. While none is under way an interrupt ends the commands
   * that the last ones left running, and gives the last turn.
   */
  command(id: string, order: AgentCommandOrder): Promise<CommandView>;
  /** A person's answer. The first one counts. */
  decide(id: string, approvalId: string, order: ApprovalDecisionOrder): Promise<ApprovalView>;
  /** Interrupts what is under way and ends the conversation. */
  cancel(id: string, reason?: string): Promise<AgentRunDetail>;
}
