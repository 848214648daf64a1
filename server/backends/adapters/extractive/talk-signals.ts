/** Words and shapes, English and Chinese, that mark talk, the state of the moment and pasted output. The weight is taken off a statement's score. */

interface TalkSignal {
  weight: number;
  pattern: RegExp;
}

export const TALK_SIGNALS: readonly TalkSignal[] = [
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
  // Weather, food, leisure: weak, since a baker or a farmer means business by them.
  {
    weight: 2,
    pattern:
      /\b(?:weather|sunny|rain(?:y|ed|ing)?|snow(?:ed|ing|y)?|cloudy|coffee|lunch|dinner|breakfast|pizza|cake|cookies|beer|birthday|weekend|vacation|football|game night|movie|gym)\b/iu,
  },
  {
    weight: 2,
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
export const OUTPUT_SIGNALS: readonly TalkSignal[] = [
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
