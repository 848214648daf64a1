import pin from "@/server/backends/openclaw-gateway.json";

/** What is wrong with a gateway of that version, as one sentence; null for one that is known here. */
export function versionProblem(providerName: string, version: string): string | null {
  const numbers = numbersOf(version);
  if (numbers === null) return `${providerName}: what answered says no version of OpenClaw; it is no gateway that is known here.`;
  const hint = `Use ${pin.package}@${pin.version}.`;
  if (isBefore(numbers, pin.oldest)) {
    return `${providerName}: the OpenClaw gateway is ${numbers.join(".")}, older than ${pin.oldest}, the oldest that is known here. ${hint}`;
  }
  if (!isBefore(numbers, pin.before)) {
    return `${providerName}: the OpenClaw gateway is ${numbers.join(".")}, newer than what is known here, which ends before ${pin.before}. ${hint}`;
  }
  return null;
}

/** A version counts by its date: year, month, number. */
function numbersOf(version: string): number[] | null {
  const found = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+.]\S{0,100})?$/.exec(version.trim());
  return found ? found.slice(1).map(Number) : null;
}

function isBefore(numbers: readonly number[], other: string): boolean {
  const others = other.split(".").map(Number);
  for (const [at, number] of numbers.entries()) {
    const difference = number - (others[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
