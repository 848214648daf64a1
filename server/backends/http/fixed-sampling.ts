/**
 * Models that answer 400 to a temperature or a top_p of ours, by the families they belong to: OpenAI's reasoning models, and
 * Claude from 4.7 on. A family and not a list, so that the next model of one is known on its first day.
 */
const FIXED_SAMPLING = [
  /^o[1-9](?:-|$)/,
  /^gpt-(?:[5-9]|[1-9]\d)(?![\d])(?!.*-chat)/,
  /^claude-[a-z]+-(?:4-(?:[7-9]|[1-9]\d)|[5-9]|[1-9]\d)(?!\d)/,
  /^claude-mythos-preview/,
];

/** True for a model that takes no sampling parameters. `model` as a provider names it, `maker/model` included. */
export function hasFixedSampling(model: string): boolean {
  const name = model.slice(model.lastIndexOf("/") + 1);
  return FIXED_SAMPLING.some((family) => family.test(name));
}
