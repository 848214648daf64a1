/**
 * What marks a statement worth keeping, and what marks talk. Words and shapes of English and Chinese, each with a
 * weight; no list knows a project, a product or a person. Weights are small whole numbers: 3 = says so itself
 * ("decided", "root cause"), 2 = strong hint, 1 = weak hint that needs company. `extract.ts` sets the bar.
 */
import type { Label } from "./labels";
import { weightedLength } from "./sentences";

/** The sections an insight can be filed under. */
export const SECTIONS = ["decision", "cause", "rule", "lesson", "workflow", "fact"] as const;
export type Section = (typeof SECTIONS)[number];

interface Signal {
  section: Section;
  weight: number;
  pattern: RegExp;
}

const KEEP: readonly Signal[] = [
  // Decisions: the act itself, then a choice between two things.
  {
    section: "decision",
    weight: 3,
    pattern:
      /\b(?:decided|decision|agreed (?:to|that|on)|resolved to|settled on|opted (?:for|to)|ruled out|rejected|chose|we (?:will|'ll) (?:no longer|stop|use|keep|not)|going with|went with)\b/iu,
  },
  {
    section: "decision",
    weight: 3,
    pattern: /决定|决议|一致同意|拍板|否决|敲定|确定(?:采用|使用|为|用|先|不)|商定|选定|最终选择/u,
  },
  {
    section: "decision",
    weight: 2,
    pattern:
      /\b(?:instead of|rather than|in favou?r of|no longer|from now on|switch(?:ed|ing)? (?:to|from)|replac(?:e|ed|es|ing) .{2,60} (?:with|by)|moved? (?:from .{2,40} )?to|adopt(?:ed|s)?|standardi[sz]ed on|dropped support|deprecat\w+|(?:was|were|is|are|we|i) (?:dropp?(?:ed)?|retired?|replaced|abandoned|withdrawn|stay(?:ing)? with|stick(?:ing)? (?:to|with)))\b/iu,
  },
  {
    section: "decision",
    weight: 2,
    pattern:
      /改用|改为|改成|换成|采用|而不是|不再(?:使用|支持|用|允许|做)|从今(?:天|以后|往后)|以后(?:都|统一|不|只|先|要|再)|统一(?:使用|用|改|走|由)|放弃/u,
  },
  // Causes.
  {
    section: "cause",
    weight: 3,
    pattern:
      /\b(?:root cause|caused by|(?:was|were|is) (?:due to|because)|turned out|turns out|traced (?:it |this )?(?:back )?to|stems? from|the (?:real )?(?:cause|reason|culprit)|(?:comes?|came) from (?:the|a|an)|boil(?:s|ed) down to)\b/iu,
  },
  {
    section: "cause",
    weight: 2,
    pattern:
      /\b(?:because|due to|since (?:the|its?|they|their|we|our|a|an|there|no|half|most|all|every)\b|as a result|which (?:means|made|makes|causes|caused|led)|leads? to|led to|so that|hence|therefore|thereby|owing to|thanks to the)\b/iu,
  },
  {
    section: "cause",
    weight: 3,
    pattern: /根本原因|原因(?:是|在于|：|:|为)|根因|起因|归因|源于|罪魁祸首|是由.{1,30}(?:引起|导致|造成)/u,
  },
  { section: "cause", weight: 2, pattern: /因为|由于|导致|所致|造成|引起|以至于|致使|所以|因此|从而|否则/u },
  {
    section: "cause",
    weight: 2,
    pattern:
      /[,;] so (?!far\b)|\b(?:makes?|made|causes?|caused|lets?|forces?|forced|prevents?|prevented|blocks?) (?:the|a|an|it|them|every|all|each|any|us|other)\b/iu,
  },
  // "Waiting for the header cut the failures": doing something, and what came of it.
  {
    section: "cause",
    weight: 2,
    pattern:
      /^(?:\S+ ){0,3}?\w+ing .{3,80}? (?:makes?|made|keeps?|kept|cuts?|gives?|gave|takes?|took|costs?|saves?|saved|halved?s?|fix(?:es|ed)|breaks?|broke|removes?d?|avoids?|avoided|prevents?|means?|helps?|hides?|hid|turns?|lets?|leaves?|left)\b/iu,
  },
  // Rules and constraints.
  {
    section: "rule",
    weight: 3,
    pattern:
      /\b(?:must(?: not|n't)?|never|always|shall(?: not)?|may not|not allowed|forbidden|prohibited|mandatory|(?:is|are) required|has to be|have to be|do not|don't|no exceptions?|at all times)\b/iu,
  },
  {
    section: "rule",
    weight: 3,
    pattern: /必须|不得|禁止|务必|一律|严禁|不允许|不准|切勿|绝不|绝对不|只能|只允许|一定要|永远不|不许|概不/u,
  },
  {
    section: "rule",
    weight: 2,
    pattern:
      /\b(?:cannot|can't|can only|should(?: not|n't)?|only (?:when|if|after|by|the|with|for|one)|unless|at most|at least|no more than|up to \d|whenever|every (?!day\b|morning\b|one\b|body\b|thing\b)\w+ (?:needs?|gets?|has|must|is)|anything (?:else|that|without)|before (?:every|each|any)|(?:needs?|requires?) (?:a|an|the|two|three|at) )/iu,
  },
  { section: "rule", weight: 1, pattern: /\bonly\b/iu },
  {
    section: "rule",
    weight: 2,
    pattern:
      /不要|不能|不可|应当|应该|应先|至少|最多|不超过|不少于|不低于|上限|下限|每次|凡是|除非|才能|才可以|需要先|要求|规则|规定|超过.{1,20}(?:就|则|后|时|要|转)|如果.{1,40}(?:就|则)|未经|前(?:必|要|先|须)|均须|都要|都得/u,
  },
  // Lessons.
  {
    section: "lesson",
    weight: 3,
    pattern:
      /\b(?:lessons?(?: learn(?:ed|t))?|learn(?:ed|t) (?:that|the hard|to|how|from)|take-?away|in hindsight|in retrospect|next time|the hard way|gotcha|pitfall|the trick (?:is|was)|it pays|worth remembering|rule of thumb|note to self|beware|watch out)\b/iu,
  },
  {
    section: "lesson",
    weight: 3,
    pattern:
      /教训|经验(?:是|：|:|表明|告诉)|踩(?:了)?(?:个|一个)?坑|下次(?:要|应|先|遇到|再)|吸取|体会(?:是|：)|学到|记住|事后看|回头看|千万/u,
  },
  {
    section: "lesson",
    weight: 2,
    pattern:
      /\b(?:we|i) (?:found|noticed|reali[sz]ed|discovered|saw|observed|concluded) that|\b(?:reveal(?:s|ed)|show(?:s|ed|n)?|prov(?:es?|ed|en)|mean(?:s|t)|impl(?:y|ies|ied)|confirm(?:s|ed)?|suggest(?:s|ed)?|demonstrat\w+) that|\bmeans\b|\b(?:only|merely) (?:hides?|moves?|a hope)\b/iu,
  },
  {
    section: "lesson",
    weight: 2,
    pattern:
      /说明(?:了|：)?|表明|证明(?:了)?|意味着|发现.{0,30}(?:会|其实|并|不|没|都|才|只|了)|其实|反而|看起来.{1,20}(?:但|其实)|并不|意思就/u,
  },
  // Workflows.
  {
    section: "workflow",
    weight: 3,
    pattern: /\b(?:workflow|procedure|playbook|runbook|how to|steps?(?: are)?:|recipe|in this order|step \d)\b/iu,
  },
  {
    section: "workflow",
    weight: 3,
    pattern:
      /\bfirst\b.{3,160}\b(?:then|second|next|after that|finally|last|afterwards)\b|\bto \w+ .{3,80}, (?:first |just )?(?:run|set|use|open|call|add|copy|stop|start|restart|delete|export|check)\b/iu,
  },
  { section: "workflow", weight: 3, pattern: /先.{1,60}(?:再|然后|接着|最后|之后才|后再|才)|流程|步骤|做法是|操作方法|依次/u },
  {
    section: "workflow",
    weight: 2,
    pattern: /\b(?:before|after|once) \w+ing\b|\b(?:before|after) (?:each|every|the|any|a) [^,;]{3,60}, /iu,
  },
  // Facts that were measured or hold in general.
  {
    section: "fact",
    weight: 2,
    pattern:
      /\bfrom \$?\d[\d.,]*\s?\S{0,12}(?: \S+){0,3} to \$?\d|\b(?:took|takes?|takes? about|lasted|needs?|used|uses|costs?|saved|saves|lost|dropped|fell|rose|grew|cut|went|reached|holds?|covers?|averaged|peaked)\b[^.;]{0,60}?\d|\d[\d.,]*\s?(?:x|times|fold)\b/iu,
  },
  {
    section: "fact",
    weight: 2,
    pattern:
      /从\s?\d.{0,20}(?:降|升|增|减|涨|跌|缩|到)|(?:耗时|用时|花了?|占用?|节省|减少|增加|提升|下降|降低|上升|降到|降至|缩短|延长|超过|达到|平均)(?:了|到|至|约)?\s?[\d一二三四五六七八九十百千万半两]/u,
  },
  {
    section: "fact",
    weight: 2,
    pattern:
      /\b(?:faster|slower|longer|shorter|worse|better|cheaper|larger|smaller|fewer|higher|lower|twice|halved?|halves|doubled?|doubles|tripled?|quadrupled?|outperform\w*|correlat\w+|silently|\w{2,}er than|(?:more|less|rather|other) than|instead of (?:the )?(?:\w+ )?\d)\b/iu,
  },
  { section: "fact", weight: 2, pattern: /更(?:快|慢|好|差|高|低|多|少|贵|便宜|稳)|翻倍|减半|一半|两倍|\d\s?倍|静默|无效|有效/u },
  {
    section: "fact",
    weight: 1,
    pattern:
      /\d\s?(?:%|ms|s|seconds?|minutes?|hours?|days?|weeks?|months?|years?|k|[KMGT]i?B|bytes?|tokens?|requests?|users?|rows?|lines?|files?|°C|mm|cm|km|kg|mg|ml|W|V|A|Hz|percent)\b/iu,
  },
  { section: "fact", weight: 1, pattern: /\d\s?(?:秒|分钟|小时|天|周|个月|年|毫秒|字节|条|次|个|元|人|倍|行|度)/u },
  {
    section: "fact",
    weight: 1,
    pattern:
      /\b(?:is|are) (?:not )?(?:part of|stored|kept|case[- ]sensitive|limited|derived|based|bound|shared|ignored|counted|counts|silently|independent|idempotent|atomic)\b|\b(?:ignores|expects|counts|assumes|returns|refuses|requires|depends on|relies on|supports|treats|keeps|drifts?|differs?)\b/iu,
  },
  {
    section: "fact",
    weight: 1,
    pattern:
      /不支持|仅支持|默认|依赖|取决于|区分大小写|返回|忽略|会.{0,10}(?:被|把|覆盖|丢|删|卡|报|锁|失效|失败|重复|变|出错|断|挂)|按.{1,20}(?:计算|计费|排序|切分)|没有.{1,16}导致/u,
  },
  {
    section: "fact",
    weight: 1,
    pattern:
      /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|half|double|hundred|thousand) (?:\w+ )?(?:ms|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|percent|bars?|degrees?)\b/iu,
  },
  // A contrast or condition: the sentence argues.
  {
    section: "fact",
    weight: 1,
    pattern:
      /\b(?:while|whereas|although|though|but|however|yet|even (?:if|when|though)|without|exactly|as long as|as soon as|until)\b|但|却|而(?!且)|虽然|尽管|即使|一旦|只要|直到|除此/u,
  },
];

interface Noise {
  weight: number;
  pattern: RegExp;
}

const TALK: readonly Noise[] = [
  // Pleasantries, greetings, praise.
  {
    weight: 5,
    pattern:
      /^(?:hi|hello|hey|good (?:morning|afternoon|evening|night)|thanks|thank you|thx|cheers|welcome|congrat\w*|happy \w+|great (?:job|work|stuff|team)|well done|nice (?:one|work|job)|awesome|cool|lol|haha|sounds good|no worries|see you|bye|have a (?:nice|good|great)|ok(?:ay)?|yes|yep|sure|got it|will do|same here|\+1)\b/iu,
  },
  {
    weight: 3,
    pattern:
      /\b(?:thanks|thank you|thx|congrat\w*|happy birthday|great (?:job|work)|well done|good luck|appreciated?|lovely|lol|haha|cheers|kudos|welcome (?:back|to the team))\b/iu,
  },
  {
    weight: 5,
    pattern:
      /^(?:你好|您好|大家好|早上好|早安|晚安|下午好|谢谢|感谢|辛苦|收到|好的|好呀|哈哈|嗯|恭喜|加油|没问题|不客气|再见)|做得(?:很|真|非常)?(?:好|棒)|太棒|真棒|点赞|辛苦了|生日快乐|新年快乐|周末愉快/u,
  },
  // Weather, food, leisure.
  {
    weight: 4,
    pattern:
      /\b(?:weather|sunny|rain(?:y|ed|ing)?|snow(?:ed|ing|y)?|cloudy|coffee|tea|lunch|dinner|breakfast|pizza|cake|cookies|beer|birthday|weekend|holiday|vacation|football|game night|movie|cat|dog|traffic|the bus|gym)\b/iu,
  },
  {
    weight: 4,
    pattern:
      /天气|下雨|下雪|晴天|阴天|刮风|咖啡|奶茶|午饭|晚饭|早饭|午餐|吃(?:了|饭|完)|外卖|蛋糕|周末|电影|球赛|健身|堵车|散步|聚餐|火锅/u,
  },
  // What is still to be done, by whom, until when.
  {
    weight: 3,
    pattern:
      /\b(?:todo|to do|tbd|wip|fixme|follow(?:ing)? up|remind(?:er)?|tomorrow|next (?:week|month|sprint|monday|tuesday|wednesday|thursday|friday)|by (?:monday|tuesday|wednesday|thursday|friday|tomorrow|eod)|will (?:look|check|try|ask|write|send|update|review|continue|do|see|draft|prepare|call|investigate|talk|report|follow|ping|book|join)|need(?:s)? to (?:check|ask|look|write|send|review|buy|call|find|talk|read)|plan(?:s|ning)? to|going to (?:look|try|check|ask)|let(?:'s| me| us)|i'll|i(?:'m| am) (?:going|looking|checking)|wait(?:s|ing)? (?:for|on)|still (?:waits?|waiting|pending|open|running|need)|pending|on hold|assigned to|eta)\b/iu,
  },
  {
    weight: 3,
    pattern:
      /待办|待(?:确认|处理|跟进|定|办|补|修)|明天|明日|后天|下周(?!期)|稍后|回头(?!看)|记得|提醒我|跟进|计划(?:明|下|在|于|去)|打算|准备(?:去|明|下)|等(?:待|他|她|对方|回复|审批|结果|通知)|还(?:在等|没有?(?:做|写|测|完成|回复))|尚未|有空|抽空|需要(?:找|问|买|看看|确认一下|再看)|继续(?:做|写|看|观察|跟)/u,
  },
  // The state of the moment and the work log.
  {
    weight: 3,
    pattern:
      /\b(?:unread|nothing (?:urgent|new|unusual|special|to report)|no (?:change|changes|alerts|news|incidents|issues|updates|blockers)|all (?:green|good|clear|quiet|checks? pass\w*|systems)|as usual|up and running|in progress|on track|un?blocked|works? (?:now|again|fine)|still (?:works|green|fine|ok)|looks? (?:good|fine|ok)|is (?:back|up|down|green|red|live|done|ready)|heart-?beat|smoke test|so far so good|quiet (?:day|night|shift)|passed|passing)\b/iu,
  },
  {
    weight: 3,
    pattern:
      /一切正常|运行正常|无异常|没有异常|正常运行|无告警|没有告警|未读|无事|一切顺利|进行中|正在(?:处理|进行|跑|等|部署|做)|已(?:完成|部署|合并|提交|发送|上线|处理|修好|通知|回复|更新|关闭|重启)|完成了?(?:部署|测试|合并|开发|更新|发布)|状态[:：]|心跳|打卡|签到|测试通过/u,
  },
  {
    weight: 3,
    pattern:
      /^(?:(?:i|we|today|yesterday|also|then|just|have|\d{1,2}:\d{2})[\s,]+)*(?:merged|deployed|pushed|committed|started|finished|completed|opened|closed|met|joined|attended|called|sent|received|reviewed|updated|uploaded|downloaded|installed|restarted|rebooted|rebased|bumped|tagged|released|wrote|read|answered|replied|posted|ordered|ate|bought|watched|went (?:to|for|home|out)|had|checked|looked|ran|rerun|re-ran|cleaned|tidied|paired|synced|talked|asked|tested|fixed typos?|worked on|continued|looking|checking|investigating|ping(?:ed)?)\b/iu,
  },
  {
    weight: 3,
    pattern:
      /^(?:(?:今天|上午|下午|晚上|昨天|刚刚|刚才|又|继续|然后|我|我们|和\S{1,6})[，,]?)*(?:开(?:了)?(?:个|一个)?(?:会|例会|周会)|合并了|部署了|提交了|发布了|更新了|发(?:送)?了|看了|写了|聊了|讨论了|参加了|回复了|收到|重启了|测了|测试了|跑了|整理了|安装了|下载了|联系了|问了|打了|拉了|修了)/u,
  },
  // Questions, speech about speaking.
  { weight: 3, pattern: /[?？]\s*$/u },
  {
    weight: 3,
    pattern:
      /\b(?:can|could|would) (?:you|we|someone|anyone)\b|\b(?:i think|i guess|maybe|perhaps|not sure|no idea|wonder|hopefully|probably|hmm+|btw|fyi|imho)\b/iu,
  },
  { weight: 1, pattern: /\bplease\b|请/iu },
  {
    weight: 3,
    pattern:
      /(?:用户|客户|老板|同事|他|她|对方)(?:说|表示|问|回复)[：:“"，]|请(?:问|帮|看)|能不能|要不要|是不是|行不行|[吗呢吧]\s*[。！!？?]?\s*$|我觉得|我想|可能是|大概|也许|不确定|估计|好像|看看/u,
  },
];

/** Shapes of pasted output, counters and ticks: what no person wrote as a sentence. */
const OUTPUT: readonly Noise[] = [
  { weight: 8, pattern: /^[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+[.!]?$/u },
  {
    weight: 8,
    pattern:
      /^[^\p{L}\p{N}]*(?:ok|okay|done|yes|no|none|n\/a|pass(?:ed)?|fail(?:ed)?|success|true|false|null|wip|tbd|无|没有|是|否|正常|完成)[^\p{L}\p{N}]*$/iu,
  },
  {
    weight: 6,
    pattern:
      /^[\p{L}][\p{L} /&()'-]{0,30}[:：=]\s*(?:[~≈<>]?\s*[\d.,/%:+-]+\s*[\p{L}%/°]{0,12}|\d[^.;。；]{0,24}|ok|none|yes|no|n\/a|green|red|up|down|low|high|normal|stale|无|正常|暂无|良好)(?:\s*[,(（，][^.;。；]{0,40})?[.。]?$/iu,
  },
  { weight: 6, pattern: /^\[?\d{4}[-/]\d{2}[-/]\d{2}[T ]\d{2}:\d{2}/u },
  {
    weight: 6,
    pattern:
      /^(?:\[[^\]]{1,24}\]\s*)?(?:\d{2}:\d{2}:\d{2}\S*\s+)?(?:\[?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|CRIT)\]?)\b/u,
  },
  {
    weight: 6,
    pattern:
      /^(?:\$|#|>>>|%|PS>|~\$|sudo|npm|npx|git|curl|docker|kubectl|ssh|cd|ls|cat|grep|tail|chmod|pip)\s+[-\w./~]+(?:\s+[-\w./~:=@"']+)*$/u,
  },
  {
    weight: 6,
    pattern:
      /^\s*(?:at [\w.$<>]+ ?\(|File "|Traceback|Caused by: [\w.]+Exception|[+-]{3} [ab]\/|@@ )|^(?:HTTP\/|GET |POST |PUT |DELETE |PATCH )/u,
  },
  { weight: 5, pattern: /(?:\b\w+=[^\s,;]+[\s,;]+){2,}\w+=|^\s*[[{].*[}\]]\s*$|^[^\s\p{Script=Han}]+$/u },
  { weight: 5, pattern: /^(?:https?:\/\/\S+|\S+@\S+\.\S+)$/u },
  { weight: 3, pattern: /^(?:[✅❌⏳🔄⚠🎉👍☕🚧✓✔✗✘⬜🟢🟡🔴]\uFE0F?)|(?:[✅❌⏳🔄🎉👍☕🚧✓✔✗✘🟢🟡🔴]\uFE0F?)\s*$/u },
];

/** A statement under a heading or label that promises such statements needs little more. */
const LABEL_WEIGHT = 4;
/** Under a heading the promise is weaker: talk stands there too. */
const HEADING_WEIGHT = 3;
/** "Fixed" stands above bug fixes and typo fixes alike. */
const SOLUTION_HEADING_WEIGHT = 1;
const NOISE_LABEL_WEIGHT = 4;
/** A problem tells what was seen, not what holds. */
const PROBLEM_WEIGHT = 3;
/** Written as a list item: someone put it down on purpose. */
const ITEM_WEIGHT = 1;
/** Below it a statement carries no thought of its own, above it is a paragraph that nobody split. Weighted characters. */
const LENGTH = { tiny: 14, short: 28, substantial: 50, long: 700 } as const;
/** A mark or word that joins a second clause. */
const CLAUSE =
  /[;；，]|: [\p{Ll}`]|：|\s[–—-]\s|, (?:and|so|but|while|which|because|since|as|then|or|whereas|therefore|not|the|it|they|a|an)\b|\b(?:because|so that|while|unless|when|if|until|than)\b/u;
/** One kind of sign counts once, however many words say it; two kinds support each other, more are a summary. */
const KINDS_COUNTED = 3;
/** A second kind of sign for the same section, such as a comparison beside a measured number. */
const SUPPORT_WEIGHT = 1;

/** "(Closes: #1024598)", "(CVE-2023-0465)": where to look, not what is said. */
const REFERENCE = /\s*\([^()]*(?:#\d|CVE-|https?:)[^()]*\)|\b(?:closes|fixes|refs?|see):? #\d+(?:, ?#\d+)*\.?/giu;

export interface Scored {
  score: number;
  section: Section;
}

const LABEL_SECTIONS: Readonly<Record<Label, Section | null>> = {
  decision: "decision",
  cause: "cause",
  rule: "rule",
  lesson: "lesson",
  workflow: "workflow",
  fact: "fact",
  solution: "decision",
  problem: null,
  noise: null,
};

/** What the statement is judged by, beside its words. */
export interface Surroundings {
  label: Label | null;
  /** What the nearest heading that promises something promises. */
  heading: Label | null;
  form: "item" | "prose";
}

/** Weighs the signs of one statement. Deterministic; higher is more worth keeping, below zero is noise. */
export function weigh(statement: string, around: Surroundings): Scored {
  const content = statement.replace(REFERENCE, " ").trim();
  const bySection = new Map<Section, number>();
  for (const { section, weight, pattern } of KEEP) {
    if (!pattern.test(content)) continue;
    const known = bySection.get(section);
    bySection.set(section, known === undefined ? weight : Math.max(known, weight) + SUPPORT_WEIGHT);
  }
  const strongest = [...bySection.entries()].sort((a, b) => b[1] - a[1] || SECTIONS.indexOf(a[0]) - SECTIONS.indexOf(b[0]));
  const words = strongest.slice(0, KINDS_COUNTED).reduce((sum, [, weight]) => sum + weight, 0);
  const named = around.label === null ? null : LABEL_SECTIONS[around.label];
  const promised = around.heading === null ? null : LABEL_SECTIONS[around.heading];

  let score = words + (around.form === "item" ? ITEM_WEIGHT : 0);
  if (named) score += LABEL_WEIGHT;
  else if (promised) score += around.heading === "solution" ? SOLUTION_HEADING_WEIGHT : HEADING_WEIGHT;
  if (around.label === "problem") score -= PROBLEM_WEIGHT;
  if (around.label === "noise" || (around.heading === "noise" && !named)) score -= NOISE_LABEL_WEIGHT;
  for (const { weight, pattern } of TALK) if (pattern.test(content)) score -= weight;
  for (const { weight, pattern } of OUTPUT) if (pattern.test(content)) score -= weight;
  score += substance(content) - lengthPenalty(content);
  return { score, section: named ?? strongest[0]?.[0] ?? promised ?? "fact" };
}

/** Talk is short and plain; a thought has a second clause. Up to two points. */
function substance(content: string): number {
  if (weightedLength(content) < LENGTH.substantial) return 0;
  return CLAUSE.test(content) ? 2 : 1;
}

function lengthPenalty(content: string): number {
  const length = weightedLength(content);
  if (length < LENGTH.tiny) return 4;
  if (length < LENGTH.short) return 1;
  return length > LENGTH.long ? 2 : 0;
}
