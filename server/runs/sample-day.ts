import { isoTime } from "@/server/shared/clock";
import type { DistillOrder } from "./run.schema";

/** Small chunks, so that a short text shows many; short waits, so that the retries are seen. */
const SAMPLE_OPTIONS = { chunkTokens: 130, concurrency: 3, backoffMs: 400, maxBackoffMs: 2_000, timeoutMs: 15_000 };

/**
 * An invented day on the mock backend that shows the console at work: slow answers, a retry that helps, a rate limit, an answer
 * that is no JSON, and a chunk that fails until a person retries it. The marks in double brackets are the mock's script.
 */
export function sampleOrder(now: number): DistillOrder {
  const started = isoTime(now);
  const sections = [
    `## Release of the importer\nDecided: the importer keeps the raw file for thirty days, because twice a month somebody asks what exactly was sent. The old rule of one day made every such question a guess. [[mock:delay=900]]`,
    `## Slow search on Monday\nRoot cause: the nightly index build was still running when the office opened, and both shared one disk. Moving the build to 02:00 brought the median answer back from 4.1 s to 0.3 s. [[mock:delay=600]]`,
    `## Provider hiccup at noon\nThe provider answered 503 for eleven minutes. Rule: a failed call is retried with growing pauses and never at once, since the provider counts rejected calls too. [[mock:fail-times=1:provider-unavailable]] [[mock:delay=500]]`,
    `## Customer call\nThey read the export on a phone first, so the first column must be the name and not the number. Decided to change the default order and to keep the old one as an option. [[mock:delay=1200]]`,
    `## Rate limits\nLesson: one limiter for each key and model is enough; a limiter for each process let four processes together exceed the quota. [[mock:fail-times=2:provider-rate-limited]] [[mock:delay=400]]`,
    `## Broken answer\nThis section plays an answer that is not JSON, as models sometimes send; the text is kept and can be read on the page of the chunk. [[mock:invalid-json]]`,
    `## Backup drill\nRestoring last night's backup into an empty folder took fourteen minutes. The search index is not part of it and was rebuilt in six more. Rule: a backup that was never restored does not count as one. [[mock:delay=700]]`,
    `## Stubborn section\nThe provider is down for this section until somebody presses retry: it fails three times, and the run stays incomplete. After the retry it goes through. [[mock:fail-times=3:provider-unavailable]]`,
    `## Next week\nDecided: the pager goes to two people at a time, because one person cannot both repair and inform. The rota starts on Monday. [[mock:delay=800]]`,
  ];
  // The start time makes each sample's texts its own: the mock counts failures by text.
  const text = `# A sample day\n\n${sections.map((section) => `${section}\n\nSample started ${started}.`).join("\n\n")}\n`;
  return {
    name: "Sample day",
    sourceDate: started.slice(0, 10),
    backend: "mock",
    documents: [{ name: "sample-day.md", text }],
    options: SAMPLE_OPTIONS,
  };
}
