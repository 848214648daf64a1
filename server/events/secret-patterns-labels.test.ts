import { describe, expect, it } from "vitest";
import { seededRandom } from "@/server/testing/random-markdown";
import { type FoundLabel, LABEL_SOURCES, visitLabels } from "./secret-patterns-labels";

/** The labels as the expression alone finds them, tried at every character. */
function byExpression(text: string, next: (label: FoundLabel) => number): FoundLabel[] {
  const labels = new RegExp(LABEL_SOURCES.map(([, source]) => `(${source})`).join("|"), "gi");
  const found: FoundLabel[] = [];
  for (let match = labels.exec(text); match; match = labels.exec(text)) {
    const kind = LABEL_SOURCES[match.findIndex((group, index) => index > 0 && group !== undefined) - 1]?.[0];
    if (!kind) throw new Error("a match without a group");
    const label = { start: match.index, end: labels.lastIndex, kind };
    found.push(label);
    labels.lastIndex = next(label);
  }
  return found;
}

function byVisit(text: string, next: (label: FoundLabel) => number): FoundLabel[] {
  const found: FoundLabel[] = [];
  visitLabels(text, (label) => {
    found.push(label);
    return next(label);
  });
  return found;
}

const PARTS =
  "pass word wd phrase pwd PWD Pass key KEY client-key-data api access secret private signing encryption account client master shared subscription app _ - token Token credential s 密码 口令 密 码 密钥 令牌 凭证 暗号 proxy- author ization auth Authorization bearer Basic ? & sig nature code x 1 é 漢 😀 İ K ſ =".split(
    " ",
  );

describe("labels", () => {
  it.each([
    ["my_password = 1", [[3, 11, "password"]]],
    ["test-pass, passed", [[5, 9, "password"]]],
    [
      "Shared_Access_Key client-key-data",
      [
        [0, 17, "key"],
        [18, 33, "key"],
      ],
    ],
    ["api_secret_key", [[0, 10, "token"]]],
    ["secret key", [[0, 10, "key"]]],
    ["monkey hotkey", []],
    [
      "?key=&code=&sig=x code",
      [
        [1, 4, "query"],
        [6, 10, "query"],
        [12, 15, "query"],
      ],
    ],
    [
      "proxy-authorization _auth Bearer",
      [
        [0, 19, "authorization"],
        [20, 25, "authorization"],
        [26, 32, "scheme"],
      ],
    ],
    [
      "口令，密码",
      [
        [0, 2, "chinese"],
        [3, 5, "chinese"],
      ],
    ],
  ] as const)("%s", (text, expected) => {
    expect(byVisit(text, ({ end }) => end).map(({ start, end, kind }) => [start, end, kind])).toEqual(expected);
  });

  it("are those of the expression, wherever the search goes on", () => {
    const random = seededRandom(11);
    for (let round = 0; round < 3000; round++) {
      const text = Array.from({ length: random.below(21) }, () => random.pick([...PARTS, " "])).join("");
      const step = random.below(10);
      const next = ({ end }: FoundLabel) => end + step;
      expect(byVisit(text, next)).toEqual(byExpression(text, next));
    }
  });
});
