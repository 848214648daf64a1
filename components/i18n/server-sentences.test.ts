/** Walks the server's source for the sentences that it writes by itself: each must be known here, or excused with a reason. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import {
  failureOfMiniMaxStatus,
  failureOfProviderError,
  failureOfStatus,
  failureOfTransport,
} from "@/server/backends/http/failure";
import { TransportError } from "@/server/backends/transport/http-sse";
import { resolveBaseUrl } from "@/server/config/secret-projection";
import { resolveSecret } from "@/server/config/secret-reference";
import type { SecretReaders } from "@/server/config/secret-source";
import { redactorOf } from "@/server/events/redactor-of";
import { normalizeOutput } from "@/server/pipeline/normalize-output";
import { formatMessage } from "./message-format";
import type { MessageKey } from "./messages";
import { SERVER_SENTENCES } from "./server-sentences";
import { serverSentence } from "./server-words";
import { MESSAGES } from "./testing-language";

const english = (key: MessageKey, variables = {}) => formatMessage(MESSAGES.en[key], variables, "en");
const chinese = (key: MessageKey, variables = {}) => formatMessage(MESSAGES.zh[key], variables, "zh");

const SERVER = path.join(import.meta.dirname, "../../server");
/** Modules whose sentences reach pages as a reason, a message or a description. Errors of the API come with a code that pages translate. */
const MODULES = ["backends", "config", "inference", "pipeline", "runs"];

/** Errors whose message is shown beside a failure kind. */
const SHOWN_ERRORS = new Set(["BackendError", "TransportError", "SecretUnavailableError"]);
/** Fields that pages show. */
const SHOWN_FIELDS = new Set(["reason", "message", "problem", "description", "isolation"]);

/** Sentences that no page shows in these words, by file. */
const EXCUSED: readonly { file: RegExp; sentence?: RegExp; because: string }[] = [
  {
    file: /^config\/(?:document\/|config-yaml(?:-edit)?\.ts$|rename-provider\.ts$)/,
    because: "problems of a document have codes, as have refused edits",
  },
  { file: /^runs\/config-evaluation\.ts$/, because: "problems of a document have codes" },
  { file: /^config\/first-document\.ts$/, because: "for the log of the start" },
  { file: /^runs\/config-file\.ts$/, sentence: /nothing was imported; decide/, because: "for the log of the start" },
  { file: /^pipeline\/(?:prompt|repair-request|stage)\.ts$/, because: "for models, and for files" },
  { file: /^backends\/adapters\/mock\/reply\.ts$/, because: "what a model would say" },
  { file: /^runs\/check-capabilities\.ts$/, sentence: /^On 2026/, because: "for models" },
  { file: /^runs\/(?:test-model|sample-day)\.ts$/, because: "for models" },
  {
    file: /(?:http\/http-backend|probe-by-turn|(?:codex-app-server|claude-code)\/adapter)\.ts$/,
    sentence: /^(?:Reply with|You answer one)/,
    because: "for models",
  },
  {
    file: /codex-app-server\/app-server\.ts$/,
    sentence: /^7(?: refused 7: 7|: the app-server 77)$/,
    because: "the program's own words",
  },
  { file: /codex-app-server\/server-requests\.ts$/, sentence: /is not supported$/, because: "for the program" },
  { file: /codex-app-server\/key-relay\.ts$/, because: "for the program, which says them in words of its own" },
  { file: /^runs\/run-actions\.store\.ts$/, sentence: /^with 7$/, because: "said by the one event that has it" },
  // Put together of parts: looked at below as they come out.
  { file: /^config\/secret-reference\.ts$/, sentence: /^7(?:: 7 is 7: 7\.$| holds)/, because: "see below" },
  { file: /^inference\/inference-provider\.ts$/, sentence: /timed out after 7$/, because: "see below" },
  { file: /^pipeline\/normalize\/check-keys\.ts$/, sentence: /answer7\.$/, because: "see below" },
  { file: /^runs\/explain-route\.ts$/, sentence: /^It is 7: 7$/, because: "see below" },
  { file: /^runs\/local-backend-service\.ts$/, sentence: /^7: 7 is 7\.$/, because: "see below" },
];

interface Sentence {
  file: string;
  /** Each placeholder stands as `7`. */
  text: string;
}

function filesOf(folder: string): string[] {
  return readdirSync(path.join(SERVER, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/(?:[.-]test|\.schema)\.ts$/.test(name))
    .map((name) => `${folder}/${name}`);
}

function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return null;
  return node.head.text + node.templateSpans.map(({ literal }) => `7${literal.text}`).join("");
}

/** Whole sentences, and whatever is given to an error or a field that pages show. */
function sentencesOf(file: string): Sentence[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(SERVER, file), "utf8"), ts.ScriptTarget.Latest, true);
  const found: Sentence[] = [];
  const visit = (node: ts.Node, isShown: boolean) => {
    if (ts.isNewExpression(node) && /Error$/.test(node.expression.getText())) {
      if (!SHOWN_ERRORS.has(node.expression.getText())) return;
      // The kind comes first, the sentence last; options in between hold no sentence.
      for (const argument of node.arguments ?? []) visit(argument, true);
      return;
    }
    if (ts.isCallExpression(node) && /logger\.|^z\.|\.refine$|^super$/.test(node.expression.getText())) return;
    // A comparison is no saying.
    if (ts.isCaseClause(node)) {
      for (const statement of node.statements) visit(statement, isShown);
      return;
    }
    const text = textOf(node);
    if (text !== null && /[A-Za-z]{2,} | [A-Za-z]{2,}/.test(text) && (isShown || /^[A-Z“"7].*[^ ]\.$/s.test(text)))
      found.push({ file, text });
    const inField = ts.isPropertyAssignment(node) && SHOWN_FIELDS.has(node.name.getText());
    ts.forEachChild(node, (child) => visit(child, inField || (isShown && !ts.isObjectLiteralExpression(node))));
  };
  visit(source, false);
  return found;
}

const isExcused = ({ file, text }: Sentence) =>
  EXCUSED.some((excuse) => excuse.file.test(file) && (excuse.sentence === undefined || excuse.sentence.test(text)));

describe("the sentences of the server", () => {
  const walked = MODULES.flatMap(filesOf).flatMap(sentencesOf);

  it("are found at all", () => {
    const texts = new Set(walked.map(({ text }) => text));
    expect(
      [
        "7 cannot be reached: 7",
        "the answer is not HTTP",
        "It is its turn.",
        "7 was never checked.",
        "the folder holds no file named 7",
      ].filter((text) => !texts.has(text)),
    ).toEqual([]);
  });

  it("have words in every language", () => {
    const missing = walked.filter((sentence) => !isExcused(sentence) && serverSentence(chinese, sentence.text) === sentence.text);
    expect(missing).toEqual([]);
  });

  it("come back as they were in English", () => {
    const changed = walked.filter((sentence) => serverSentence(english, sentence.text) !== sentence.text);
    expect(changed).toEqual([]);
  });

  it("are excused only where they are", () => {
    const idle = EXCUSED.filter(
      ({ file, sentence }) =>
        !walked.some((each) => file.test(each.file) && (sentence === undefined || sentence.test(each.text))),
    );
    expect(idle).toEqual([]);
  });
});

describe("what is put together of parts", () => {
  const context = { providerName: "loop", redactor: redactorOf({}), now: () => 0 };
  const answer = (status: number, body: string) => failureOfStatus(context, { status, headers: {}, body }).message;
  const limits = { timeoutMs: 60_000, idleMs: 5_500 };
  const network = (problem: TransportError["problem"], message: string) =>
    failureOfTransport(context, new TransportError(problem, message), limits, "").message;
  const parsed = (text: string) => {
    const output = normalizeOutput(text, { schema: { insights: "array" } });
    return output.ok ? "" : output.reason;
  };
  const misfit = (schema: Record<string, unknown>, text: string) => {
    const output = normalizeOutput(text, { schema });
    return output.ok ? "" : output.reason;
  };
  const key = (reference: string, readers: Partial<SecretReaders>) =>
    thrown(() =>
      resolveSecret(
        { path: "providers.loop.apiKey", reference },
        { variable: () => undefined, file: () => ({ state: "missing", problem: "there is no such file" }), ...readers },
      ),
    );
  const address = (baseUrl: string, values: Record<string, string> = {}) =>
    thrown(() =>
      resolveBaseUrl(
        { name: "loop", baseUrl },
        { variable: (name) => values[name], file: () => ({ state: "missing", problem: "there is no such file" }) },
      ),
    );

  const START = "$" + "{";
  const variable = (name: string) => `${START}${name}}`;

  function thrown(act: () => unknown): string {
    try {
      act();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return "";
  }

  it("names a strategy of an older trace in words", () => {
    const stored = "It could be used; fallback_chain prefers another.";
    expect(serverSentence(english, stored)).toBe("It could be used; “First that can be used” prefers another.");
    expect(serverSentence(chinese, stored)).toBe("它可以使用；但“首个可用”选择了另一个。");
  });

  it.each([
    [answer(503, ""), "loop 返回 503"],
    [answer(429, '{"error":{"message":"slow down"}}'), "loop 返回 429：slow down"],
    [answer(301, ""), "loop 返回 301：重定向，不会跟随；请把基础地址改为它指向的位置"],
    [answer(404, "<html>"), "loop 返回 404：一个 HTML 页面"],
    [failureOfProviderError(context, { message: "no\nluck" }, "").message, "loop 报告了错误：no luck"],
    [failureOfMiniMaxStatus(context, 1008, "", "").message, "loop 报告了错误 1008"],
    [network("total-timeout", "x"), "loop 超过 60 秒未完成"],
    [network("idle-timeout", "x"), "loop 有 5.5 秒没有传来数据"],
    [network("unreachable", "the connection failed (ECONNREFUSED)"), "无法连接 loop：连接失败（ECONNREFUSED）"],
    [
      network("tls", "the certificate or the encryption was not accepted (CERT_HAS_EXPIRED)"),
      "loop：证书或加密方式不被接受（CERT_HAS_EXPIRED）",
    ],
    ["It cools down for 12 s more: loop answered 503", "还需冷却 12 秒：loop 返回 503"],
    ["It cools down for 5 s more after 1 failure: loop answered 503", "失败 1 次，还需冷却 5 秒：loop 返回 503"],
    ["It cools down for 5 s more after 3 failures in a row: loop answered 503", "连续失败 3 次，还需冷却 5 秒：loop 返回 503"],
    ["It could be used; it is another one's turn.", "它可以使用；但这次轮到另一个。"],
    ["It is degraded: A check of m1 failed: loop answered 401", "它的状态欠佳：对 m1 的检查失败：loop 返回 401"],
    ["loop: env:LOOP_KEY is missing.", "loop：env:LOOP_KEY 缺失。"],
    // What the command line hands in of a batch.
    ["batch answered 429: slow down", "batch 返回 429：slow down"],
    ["The batch ended before this request had its turn.", "批处理在轮到此请求之前已结束。"],
    ["The batch was cancelled before this request had its turn.", "批处理在轮到此请求之前已取消。"],
    ["The batch tells an error without a word about it.", "批处理报告了错误，但没有说明。"],
    ["env:LOOP_KEY (apiKey) is empty.", "env:LOOP_KEY（apiKey）的状态：为空。"],
    [parsed("[1]"), "回答是 JSON 数组，而不是对象。"],
    [parsed('{"a":1,"b":2}'), "回答中缺少“insights”，有的是 “a”, “b”。"],
    [parsed('{"insights":"x"}'), "“insights”是 a string，而应为 an array。"],
    [
      misfit({ type: "object", required: ["title"], properties: { size: { type: "number" } } }, '{"size":"1"}'),
      "整个回答不符合模式：must have required property 'title'。",
    ],
    [misfit({ properties: { size: { type: "number" } } }, '{"size":"1"}'), "回答中的“/size”不符合模式：must be number。"],
    [
      misfit({ $schema: "https://x.test/draft" }, "{}"),
      "请求的模式指定了草案“https://x.test/draft”；已知的是 draft-07 和 2020-12。",
    ],
    [
      misfit({ properties: { size: { type: "nothing" } } }, "{}"),
      "请求的模式不是 2020-12 的 JSON Schema：schema is invalid: data/properties/size/type must be equal to one of the allowed values, data/properties/size/type must be array, data/properties/size/type must match a schema in anyOf。",
    ],
    [key("env:LOOP_KEY", {}), "providers.loop.apiKey：env:LOOP_KEY 的状态为“缺失”：环境变量 LOOP_KEY 没有设置。"],
    [
      key("env:LOOP_KEY", { variable: () => " " }),
      "providers.loop.apiKey：env:LOOP_KEY 的状态为“缺失”：环境变量 LOOP_KEY 已设置，但只有空白。",
    ],
    [
      key("env:LOOP_KEY", { variable: () => "a\nb" }),
      "providers.loop.apiKey：env:LOOP_KEY 的状态为“格式错误”：环境变量 LOOP_KEY 含有换行或密钥中不能有的其他字符。",
    ],
    [
      key("file:/run/key", { file: () => ({ state: "read", text: "" }) }),
      "providers.loop.apiKey：file:/run/key 的状态为“缺失”：文件是空的。",
    ],
    [
      address(`${variable("BASE")}/v1`, { BASE: "nowhere" }),
      `providers.loop.baseUrl：${variable("BASE")} 给出的地址不是 http:// 或 https:// 地址。`,
    ],
    [
      address(`${variable("A")}/${variable("B")}`, { A: "https://x.test", B: "v1?k=v" }),
      `providers.loop.baseUrl：${variable("A")}, ${variable("B")} 合成的地址含有查询或片段（? 或 #）；只写接口的基础地址，到 /v1 为止，并把密钥放进 apiKey。`,
    ],
    [
      address(`${variable("BASE")}`, { BASE: `https://x.test/${variable("Y")}` }),
      `providers.loop.baseUrl：${variable("BASE")} 给出的地址的变量值中含有 ${START}；变量只替换一次。`,
    ],
  ])("%s", (sentence, said) => {
    expect(serverSentence(chinese, sentence)).toBe(said);
    expect(serverSentence(english, sentence)).toBe(sentence);
  });
});

it("every form is met by a sentence of its own", () => {
  const keys = SERVER_SENTENCES.map(([, each]) => each);
  expect(keys.filter((each, at) => keys.indexOf(each) !== at)).toEqual([]);
});
