import { NewAgentRunPage } from "@/components/new-agent-run/new-agent-run-page";

export default function NewAgentRunRoute() {
  return <NewAgentRunPage />;
}
