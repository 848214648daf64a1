/**
 * Words and shapes, English and Chinese, that mark a statement worth keeping, each with the section it speaks for. No
 * list knows a project, a product or a person. Weights: 3 = says so itself ("decided", "root cause"), 2 = strong hint,
 * 1 = weak hint that needs company.
 */

/** The sections an insight can be filed under. */
export const SECTIONS = ["decision", "cause", "rule", "lesson", "workflow", "fact"] as const;
export type Section = (typeof SECTIONS)[number];

interface KeepSignal {
  section: Section;
  weight: number;
  pattern: RegExp;
}

export const KEEP_SIGNALS: readonly KeepSignal[] = [
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
