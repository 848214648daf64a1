import type { Dictionary } from "../messages";
import { agentRunChinese } from "./agent-run-messages";
import { agentSentencesChinese } from "./agent-sentence-messages";
import { backendsChinese } from "./backends-messages";
import { batchChinese } from "./batch-messages";
import { chunkPageChinese } from "./chunk-page-messages";
import { chunkTableChinese } from "./chunk-table-messages";
import { claudeSentencesChinese } from "./claude-sentence-messages";
import { commonChinese } from "./common-messages";
import { compareChinese } from "./compare-messages";
import { configAgentsChinese } from "./config-agents-messages";
import { configChinese } from "./config-messages";
import { configPricesChinese } from "./config-prices-messages";
import { configProblemChinese } from "./config-problem-messages";
import { configSaveChinese } from "./config-save-messages";
import { costChinese } from "./cost-messages";
import { eventWordsChinese } from "./event-words-messages";
import { eventsChinese } from "./events-messages";
import { failureChinese } from "./failure-messages";
import { insightsChinese } from "./insights-messages";
import { loginChinese } from "./login-messages";
import { modelChoiceChinese } from "./model-choice-messages";
import { newAgentRunChinese } from "./new-agent-run-messages";
import { newRunChinese } from "./new-run-messages";
import { openclawSentencesChinese } from "./openclaw-sentence-messages";
import { runModelsChinese } from "./run-models-messages";
import { runPageChinese } from "./run-page-messages";
import { runsChinese } from "./runs-messages";
import { serverChinese } from "./server-messages";
import { serverSentenceChinese } from "./server-sentence-messages";
import { shellChinese } from "./shell-messages";
import { statusChinese } from "./status-messages";
import { timelineChinese } from "./timeline-messages";
import { traceChinese } from "./trace-messages";

/** Every message in Chinese. */
export const chinese: Dictionary = {
  ...commonChinese,
  ...statusChinese,
  ...shellChinese,
  ...loginChinese,
  ...runsChinese,
  ...newRunChinese,
  ...runPageChinese,
  ...failureChinese,
  ...timelineChinese,
  ...chunkTableChinese,
  ...eventsChinese,
  ...insightsChinese,
  ...chunkPageChinese,
  ...serverChinese,
  ...serverSentenceChinese,
  ...agentSentencesChinese,
  ...claudeSentencesChinese,
  ...openclawSentencesChinese,
  ...eventWordsChinese,
  ...batchChinese,
  ...configChinese,
  ...configAgentsChinese,
  ...configPricesChinese,
  ...configSaveChinese,
  ...configProblemChinese,
  ...backendsChinese,
  ...modelChoiceChinese,
  ...runModelsChinese,
  ...compareChinese,
  ...costChinese,
  ...agentRunChinese,
  ...traceChinese,
  ...newAgentRunChinese,
};
