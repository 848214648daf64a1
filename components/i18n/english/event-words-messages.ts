/** What each event of the trace says, in one line. */
export const eventWordsEnglish = {
  "eventWords.queued":
    "{chunks, plural, one {# chunk} other {# chunks}} of {documents, plural, one {# document} other {# documents}}",
  "eventWords.prepared":
    "{chunks, plural, one {# chunk} other {# chunks}}; {dropped, plural, =0 {no line} one {# line} other {# lines}} left out; {masked, plural, =0 {no secret} one {# secret} other {# secrets}} masked",
  "eventWords.byWorker": "By worker {worker}",
  "eventWords.byOperator": "By the operator",
  "eventWords.bySweeper": "Given back to the queue: {reason}",
  "eventWords.bySweeperOnly": "Given back to the queue",
  "eventWords.incomplete": "{succeeded} succeeded, {failed} failed, {cancelled} cancelled",
  "eventWords.insights": "{count, plural, =0 {No insight} one {# insight} other {# insights}}",
  "eventWords.withGaps": "with gaps",
  "eventWords.consolidated":
    "{insights, plural, =0 {No insight} one {# insight} other {# insights}} from {done, plural, one {# chunk} other {# chunks}}; {duplicates, plural, =0 {no duplicate} one {# duplicate} other {# duplicates}} merged",
  "eventWords.after": "after {duration}",
  "eventWords.next": "Next attempt in {duration}",
  "eventWords.limit": "Time limit {duration}",
  "eventWords.sentTo": "Sent to {model}",
  "eventWords.answered": "{prompt} prompt + {completion} answer tokens",
  "eventWords.phase.started": "The backend has begun",
  "eventWords.phase.responding": "The backend answers",
  "eventWords.phase.working": "The backend works",
  "eventWords.tool": "Tool {tool}",
  "eventWords.willRetry": "it is tried again",
  "eventWords.ended.completed": "Ended: completed",
  "eventWords.ended.failed": "Ended: failed",
  "eventWords.ended.cancelled": "Ended: cancelled",
  "eventWords.ended.blocked": "Ended: blocked",
  "eventWords.cancel.user_requested": "Asked for by the operator",
  "eventWords.cancel.stage_timeout": "Its time limit was over",
  "eventWords.cancel.session_cancelled": "The run was cancelled",
  "eventWords.cancel.provider_evicted": "The backend was taken away",
} as const;
