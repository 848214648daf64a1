/** A Switchyard whose one provider is a fake batch service, and a clock that a test sets forward. */
import { onTestFinished } from "vitest";
import type { FakeBatches } from "./fake-batches";
import { openContainer, type TestContainerOptions } from "./test-container";

/** What the provider `svc` is configured with. */
export function batchConfig(profile: string, baseUrl: string): string {
  return `providers:
  svc: { profile: ${profile}, baseUrl: "${baseUrl}", apiKey: env:SVC_KEY }
profiles:
  ${profile}: { batch: true }
models:
  default: mock/mock-1
  extract: svc/model-1
`;
}

/** The executor rests, and jobs go on only when the test says so. */
export async function openBatches(service: FakeBatches, options: TestContainerOptions & { profile?: string; key?: string } = {}) {
  const { profile = "openai", key = "key-of-svc-11", ...rest } = options;
  onTestFinished(() => service.close());
  let ahead = 0;
  const container = await openContainer({
    start: false,
    clock: { now: () => Date.now() + ahead },
    config: { text: batchConfig(profile, service.baseUrl), variables: { SVC_KEY: key } },
    ...rest,
  });
  return {
    container,
    service,
    /** Later by so many milliseconds, for this process. */
    forward: (milliseconds: number) => {
      ahead += milliseconds;
    },
    /** A run of so many chunks whose scene is the provider's model. */
    async run(chunks: number): Promise<string> {
      const { id } = await container.begin({
        scene: "extract",
        chunks: Array.from({ length: chunks }, () => ""),
        sourceDate: "2026-04-19",
      });
      return id;
    },
    async statuses(id: string): Promise<string[]> {
      return (await container.runs.chunks(id, { limit: 1_000 })).items.map(({ status }) => status);
    },
  };
}
