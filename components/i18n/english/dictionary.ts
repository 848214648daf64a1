import { agentRunEnglish } from "./agent-run-messages";
import { agentSentencesEnglish } from "./agent-sentence-messages";
import { backendsEnglish } from "./backends-messages";
import { batchEnglish } from "./batch-messages";
import { chunkPageEnglish } from "./chunk-page-messages";
import { chunkTableEnglish } from "./chunk-table-messages";
import { claudeSentencesEnglish } from "./claude-sentence-messages";
import { commonEnglish } from "./common-messages";
import { compareEnglish } from "./compare-messages";
import { configAgentsEnglish } from "./config-agents-messages";
import { configEnglish } from "./config-messages";
import { configPricesEnglish } from "./config-prices-messages";
import { configProblemEnglish } from "./config-problem-messages";
import { configSaveEnglish } from "./config-save-messages";
import { costEnglish } from "./cost-messages";
import { eventWordsEnglish } from "./event-words-messages";
import { eventsEnglish } from "./events-messages";
import { failureEnglish } from "./failure-messages";
import { insightsEnglish } from "./insights-messages";
import { loginEnglish } from "./login-messages";
import { modelChoiceEnglish } from "./model-choice-messages";
import { newAgentRunEnglish } from "./new-agent-run-messages";
import { newRunEnglish } from "./new-run-messages";
import { openclawSentencesEnglish } from "./openclaw-sentence-messages";
import { runModelsEnglish } from "./run-models-messages";
import { runPageEnglish } from "./run-page-messages";
import { runsEnglish } from "./runs-messages";
import { serverEnglish } from "./server-messages";
import { serverSentenceEnglish } from "./server-sentence-messages";
import { shellEnglish } from "./shell-messages";
import { statusEnglish } from "./status-messages";
import { timelineEnglish } from "./timeline-messages";
import { traceEnglish } from "./trace-messages";

/** Every message in English; the other languages have the same keys. */
export const english = {
  ...commonEnglish,
  ...statusEnglish,
  ...shellEnglish,
  ...loginEnglish,
  ...runsEnglish,
  ...newRunEnglish,
  ...runPageEnglish,
  ...failureEnglish,
  ...timelineEnglish,
  ...chunkTableEnglish,
  ...eventsEnglish,
  ...insightsEnglish,
  ...chunkPageEnglish,
  ...serverEnglish,
  ...serverSentenceEnglish,
  ...agentSentencesEnglish,
  ...claudeSentencesEnglish,
  ...openclawSentencesEnglish,
  ...eventWordsEnglish,
  ...batchEnglish,
  ...configEnglish,
  ...configAgentsEnglish,
  ...configPricesEnglish,
  ...configSaveEnglish,
  ...configProblemEnglish,
  ...backendsEnglish,
  ...modelChoiceEnglish,
  ...runModelsEnglish,
  ...compareEnglish,
  ...costEnglish,
  ...agentRunEnglish,
  ...traceEnglish,
  ...newAgentRunEnglish,
} as const;
