import { describe, expect, it } from "vitest";
import { BUILT_IN_PROFILES } from "@/server/config/profile-table";
import { formatMessage } from "./message-format";
import type { MessageKey } from "./messages";
import { backendAbout, scorePartWord, secretKindWord, sectionWord, serverSentence } from "./server-words";
import { MESSAGES } from "./testing-language";

const english = (key: MessageKey, variables = {}) => formatMessage(MESSAGES.en[key], variables, "en");
const chinese = (key: MessageKey, variables = {}) => formatMessage(MESSAGES.zh[key], variables, "zh");

describe("serverSentence", () => {
  it.each([
    ["Paused by the operator.", "由操作员暂停。"],
    ["its worker shut down", "其工作进程已关闭"],
    [
      'The backend "llm-api" is not set up here any more; set it up and resume.',
      "后端“llm-api”在此处已不再配置；请重新配置后继续。",
    ],
    ["Consolidation broke: no\nmanifest", "汇总出错：“no\nmanifest”"],
    ["it has succeeded already", "已经成功"],
    [
      "The reply of 15 characters came in one piece; it may be too short to come in several.",
      "应答（15 个字符）一次性到达；可能太短，无法分段。",
    ],
    ["It had not let go 0.02 s after it was called off.", "取消 0.02 秒后仍未停止。"],
    ["The reply is not in the form that was asked for: The answer holds no JSON.", "应答不符合要求的格式：“回答中没有 JSON。”"],
    [
      "/etc/s.yaml has changed since it was last imported, and the document was edited here. Nothing was overwritten; decide which one counts.",
      "/etc/s.yaml 自上次导入后有改动，文档也在这里修改过。没有覆盖任何内容；请决定以哪一份为准。",
    ],
    ["s.yaml cannot be read: there is no such file.", "s.yaml 无法读取：没有这个文件。"],
    [
      'There is no backend "minimax-m3"; there are: extractive, mock. The profile minimax-m3 exists; name a provider that uses it.',
      "没有后端“minimax-m3”；现有：extractive, mock。配置档 minimax-m3 是有的；请指明使用它的服务方。",
    ],
    ["Imported from models.yaml", "从 models.yaml 导入"],
    ["Interrupted by the operator.", "已由操作者中断。"],
    [
      "the command npm publish\n--now needs an approval, which the policy never gives",
      "命令 npm publish\n--now 需要审批，而策略从不批准",
    ],
    [
      "a change of files (a.ts, b.ts) needs an approval, which the policy never gives",
      "修改文件（a.ts, b.ts）需要审批，而策略从不批准",
    ],
  ])("says %o in the reader's language", (sentence, said) => {
    expect(serverSentence(chinese, sentence)).toBe(said);
  });

  it("leaves an operator's words alone, even when they hold one of ours", () => {
    expect(serverSentence(chinese, "lunch. Paused by the operator.")).toBe("lunch. Paused by the operator.");
    expect(serverSentence(english, "Paused by the operator.")).toBe("Paused by the operator.");
  });
});

describe("names of the server's", () => {
  it("are words of the language where they are ours", () => {
    expect([sectionWord(chinese, "rule"), sectionWord(chinese, "Cause"), sectionWord(english, "decision")]).toEqual([
      "规则",
      "原因",
      "Decision",
    ]);
    expect([scorePartWord(chinese, "strongWords"), secretKindWord(chinese, "api-key")]).toEqual(["关键词", "API 密钥"]);
  });

  it("are all asked for that the dictionary has", () => {
    const rest = Object.entries(MESSAGES.en).flatMap(([key, word]) => {
      const [, kind, name = ""] = /^(section|score|secret)[.](.+)$/.exec(key) ?? [];
      const said = { section: sectionWord, score: scorePartWord, secret: secretKindWord };
      return (kind === "section" || kind === "score" || kind === "secret") && said[kind](english, name) !== word ? [key] : [];
    });
    expect(rest).toEqual([]);
  });

  it("stay as they came where they are not", () => {
    expect([sectionWord(chinese, "Queue leases"), scorePartWord(chinese, "toString"), secretKindWord(chinese, "x")]).toEqual([
      "Queue leases",
      "toString",
      "x",
    ]);
  });
});

describe("backendAbout", () => {
  const about = (description: string, baseUrl: string | null = null) => backendAbout(chinese, { description, baseUrl });

  it("names the host as it is written, variables included", () => {
    const variable = "$" + "{HOST}";
    const openAi = "Any server that speaks OpenAI's chat completions.";
    expect(
      [`http://${variable}:4492/v1`, "https://me:pw@API.example.com/v1?x", "nonsense"].map((baseUrl) =>
        backendAbout(english, { description: openAi, baseUrl }),
      ),
    ).toEqual([`The OpenAI-compatible API at ${variable}:4492.`, "The OpenAI-compatible API at API.example.com.", openAi]);
  });

  it.each(BUILT_IN_PROFILES.map(({ name, description }) => [name, description]))(
    "has words for the profile %s",
    (_name, description) => {
      expect(about(description)).not.toBe(description);
      expect(backendAbout(english, { description, baseUrl: null })).toBe(description);
    },
  );

  it("names the host of a server that is any", () => {
    expect(about("Any server that speaks OpenAI's chat completions.", "http://10.0.0.1:8080/v1")).toBe(
      "位于 10.0.0.1:8080 的兼容 OpenAI 的接口。",
    );
    expect(about("Any server that speaks OpenAI's chat completions.", "$" + "{LLM_API_URL}")).toBe(
      "任何兼容 OpenAI 聊天接口的服务器。",
    );
  });

  it("leaves an operator's description alone", () => {
    expect(about("Our own box.")).toBe("Our own box.");
  });
});
