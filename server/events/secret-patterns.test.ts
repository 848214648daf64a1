import { describe, expect, it } from "vitest";
import { findSecrets } from "./secret-patterns";

/** `kind=value` of each find. */
function found(text: string): string[] {
  return findSecrets(text).map(({ start, end, kind }) => `${kind}=${text.slice(start, end)}`);
}

const PEM_BODY = "\nMIIEpAIBAAKCAQEA7bq4\nabcDEF123+/=\n";

describe("secrets that are found", () => {
  it.each([
    ["sk-proj-abcdEFGH1234567890abcd", ["api-key=sk-proj-abcdEFGH1234567890abcd"]],
    ["(sk-ant-api03-Zx9Yw8Vu7Ts6-_q)", ["api-key=sk-ant-api03-Zx9Yw8Vu7Ts6-_q"]],
    ["OPENAI_API_KEY=sk-abc", ["api-key=sk-abc"]],
    ['api_key = "abcd1234efgh"', ["api-key=abcd1234efgh"]],
    ["apiKey: 'abcd1234efgh',", ["api-key=abcd1234efgh"]],
    ["x-api-key: 9f8e7d6c5b4a", ["api-key=9f8e7d6c5b4a"]],
    ["sk_live_4eC39HqLyjWDarjtT1", ["api-key=sk_live_4eC39HqLyjWDarjtT1"]],
    ["AccountKey=abcd1234efgh5678==;EndpointSuffix=x", ["api-key=abcd1234efgh5678=="]],
    ["token: abcdef1234567890", ["token=abcdef1234567890"]],
    ["export TOKEN=abcdefghij", ["token=abcdefghij"]],
    ["令牌：abcd1234efgh", ["token=abcd1234efgh"]],
    ["https://x.test/cb?access_token=abcdef123456&state=1", ["token=abcdef123456"]],
    ["https://x.test/?key=0123456789abcdef01", ["token=0123456789abcdef01"]],
    ['"password": "hunter2"', ["password=hunter2"]],
    ['"password": "correct horse battery staple"', ["password=correct horse battery staple"]],
    ['{\\"password\\":\\"hunter2\\",\\"a\\":1}', ["password=hunter2"]],
    ['"password": "with \\"quotes\\" 1"', ['password=with \\"quotes\\" 1']],
    ["password: swordfish\nnext", ["password=swordfish"]],
    ["the password is hunter2.", ["password=hunter2"]],
    ["passwd=letmein", ["password=letmein"]],
    ["DB_PASS=foo", ["password=foo"]],
    ["Server=x;Password=abc;Database=y", ["password=abc"]],
    ["mysql --password hunter2x", ["password=hunter2x"]],
    ["<password>hunter2</password>", ["password=hunter2"]],
    ["密码：abc123，请保存", ["password=abc123"]],
    ["密码是 Passw0rd!", ["password=Passw0rd!"]],
    ["Authorization: Bearer abcdef123456", ["bearer-token=abcdef123456"]],
    ["bearer abcdefghijklmnopqrstuvwxyz", ["bearer-token=abcdefghijklmnopqrstuvwxyz"]],
    ["Authorization: Basic dXNlcjpwYXNz", ["basic-auth=dXNlcjpwYXNz"]],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', ["basic-auth=dXNlcjpwYXNz"]],
    ["postgres://user:p@ss@host/db", ["url-credential=p@ss"]],
    ["redis://:s3cret@localhost:6379", ["url-credential=s3cret"]],
    ["https://0123456789abcdef0123456789abcdef@errors.test/1", ["url-credential=0123456789abcdef0123456789abcdef"]],
    ["eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef-ghijk", ["jwt=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdef-ghijk"]],
    ["AKIAIOSFODNN7EXAMPLE", ["aws-key=AKIAIOSFODNN7EXAMPLE"]],
    ["aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", ["aws-key=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"]],
    ["ghp_abcdefghijklmnopqrstuvwxyz0123456789", ["github-token=ghp_abcdefghijklmnopqrstuvwxyz0123456789"]],
    ["github_pat_11ABCDEFG0abcdefghijkl", ["github-token=github_pat_11ABCDEFG0abcdefghijkl"]],
    ["xoxb-123456789012-abcdefABCDEF", ["slack-token=xoxb-123456789012-abcdefABCDEF"]],
    ["https://x.test/?key=AIzaSyA1234567890abcdefghijklmnopqrstuv", ["google-key=AIzaSyA1234567890abcdefghijklmnopqrstuv"]],
    [
      "client-key-data: LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo=",
      ["kubeconfig=LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQo="],
    ],
    [`-----BEGIN RSA PRIVATE KEY-----${PEM_BODY}-----END RSA PRIVATE KEY-----`, [`private-key=${PEM_BODY}`]],
    [`-----BEGIN PRIVATE KEY-----${PEM_BODY}`, ["private-key=\nMIIEpAIBAAKCAQEA7bq4"]],
  ])("%s", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  it("come sorted and apart", () => {
    const text = "token: abcdef1234567890 and sk-proj-abcdEFGH1234567890abcd and api_key=sk-proj-abcdEFGH1234567890abcd";
    const secrets = findSecrets(text);
    expect(found(text)).toEqual([
      "token=abcdef1234567890",
      "api-key=sk-proj-abcdEFGH1234567890abcd",
      "api-key=sk-proj-abcdEFGH1234567890abcd",
    ]);
    for (const [index, secret] of secrets.entries()) expect(secret.start).toBeGreaterThanOrEqual(secrets[index - 1]?.end ?? 0);
  });
});

describe("text that is left alone", () => {
  it.each([
    "token: the smallest unit of a text",
    "Password: must be at least 8 characters",
    "the password is required",
    "password reset is required",
    '"password": "Enter your password"',
    "密码：请联系管理员",
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "550e8400-e29b-41d4-a716-446655440000",
    "/usr/local/lib/node_modules/library/index.js",
    "run_01kabcdefghjkmnpqrstvwxyz0",
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAUA",
    "max_tokens=4096, tokens: 512, tokenizer: pieces",
    '{"promptTokens":12,"token":"the","tokensEstimated":false}',
    "const token = getToken();",
    "const token = await client.fetchToken(userId);",
    "secret = config.secret",
    "token: string;",
    "password=$\u007bPASSWORD}",
    "apiKey: process.env.KEY",
    "apiKey: env:LLM_API_KEY",
    "api_key: <your key>",
    "PWD=/home/user/project",
    "private_key: /etc/keys/server.pem",
    "task-20240101-abcdef-ghijkl",
    "sk-learn-tutorial",
    "The bearer of this letter",
    "Basic training and basic understanding",
    "Token expired: please sign in again",
    "secretary: Ms Smith",
    "API key: required",
    "http://localhost:3000/path?x=a@b",
    "see https://user@example.com/ or git@github.com:user/repo.git",
    "postgres://user:$PASSWORD@host/db",
    "[redacted password] and password: [redacted password] and https://u:[redacted url-credential]@h",
  ])("%s", (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe("hostile text", () => {
  const SIZE = 5_000_000;
  const fill = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length));

  /** Far above the 0.1-0.7 s it takes; a pattern that backtracks would take minutes. */
  const LIMIT_MS = 10_000;

  it.each([
    "eyJ",
    "eyJ-",
    "sk-",
    "sk-aaaaaaaaaaaaaaa ",
    "SG.aaaaaaaaaaaaaaaaaaaa",
    "://a:",
    "://aaaaaaaaaaaaaaaaaaaaaa:b",
    "-----BEGIN PRIVATE KEY-----",
    "-",
    " ",
    "a",
    "password=",
    'password="',
    "token=\"token='`",
    "token: ",
    "--token-",
    "bearer ",
    "authorization:",
    "hooks.slack.com/services/",
    "password=\\",
    'password:"\\\\',
    "token=aaaaaa_aaaaaa_aaaaaa ",
  ])("made of %j takes linear time", { timeout: 30_000 }, (piece) => {
    const text = fill(piece);
    const startedAt = performance.now();
    findSecrets(text);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS);
  });
});
