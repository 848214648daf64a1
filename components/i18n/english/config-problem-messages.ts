/** What can be wrong with the configuration document, by code. */
export const configProblemEnglish = {
  "config.problems": "Problems",
  "config.noProblems": "No problems",
  "config.severity.error": "Error:",
  "config.severity.warning": "Warning:",
  "config.place": "line {line}, column {column}",
  "config.problem.too_large": "The document is too large; shorten it.",
  "config.problem.not_yaml": "This is not YAML as it should be.",
  "config.problem.duplicate_key": '"{key}" stands here a second time (the first is in line {firstLine}); keep one of them.',
  "config.problem.alias_bomb": "The alias repeats too much; write the value out.",
  "config.problem.too_deep": "This is nested deeper than {most} levels; make it flatter.",
  "config.problem.not_a_mapping": "The document must be a mapping of keys such as providers and models, not {found}.",
  "config.problem.several_documents":
    "A second document begins here; a configuration is one document, so remove this line and what belongs to the other one.",
  "config.problem.key_not_text": "A key must be a text, not {found}; put it in quotes.",
  "config.problem.unknown_key": 'There is no "{key}" in {where}; there are {known}.',
  "config.problem.missing_key": "“{key}” is missing.",
  "config.problem.wrong_type": "This must be {wanted}, not {found}.",
  "config.problem.out_of_range": "This must be from {least} to {most}.",
  "config.problem.bad_name":
    '"{name}" cannot be the name of a {what}; use up to 63 letters, digits, dots, dashes and underscores, and begin with a letter or a digit.',
  "config.problem.empty_scene": "The scene names no model; write provider/model.",
  "config.problem.bad_model_reference": "A model is written as provider/model.",
  "config.problem.unknown_provider": 'There is no provider "{name}"; there are {known}.',
  "config.problem.unknown_profile": 'There is no profile "{name}"; there are {known}.',
  "config.problem.literal_key":
    "A key must not stand in the document, for every revision is kept and shown; put it into an environment variable and write {line}, or into a file and write apiKey: file:/run/secrets/NAME.",
  "config.problem.key_in_text":
    "This looks like a key, and every revision is kept and shown; remove it here, and name where it is kept, as in apiKey: env:NAME.",
  "config.problem.bad_reference": "This is not a reference to a key.",
  "config.problem.bad_url": "This is not an address that can be used.",
  "config.problem.no_base_url":
    "The provider names no address, and its profile {profile} has none; add baseUrl: with the base of the API, up to /v1.",
  "config.problem.no_candidates": "The scene lists no models; add candidates: with at least one provider/model.",
  "config.problem.duplicate_candidate": "{reference} stands in the list twice; remove one.",
  "config.problem.chosen_exactly":
    "The provider {provider} is chosen exactly, so it cannot stand beside others; make it the only candidate or remove it.",
  "config.problem.unknown_strategy": "There is no such strategy.",
  "config.problem.unknown_capability": "There is no such capability.",
  "config.problem.old_shape": "The section extract is of an older version; remove it and write instead:\n{lines}",
  "config.problem.empty_document":
    "Nothing is configured here, so no scene has a model; add models: with default: provider/model.",
  "config.problem.endpoint_in_url": "The address ends in {endpoint}, which every request adds by itself; leave that out.",
  "config.problem.near_scene":
    "This is a scene of your own, which no job asks for by itself; did you mean {meant}? Else all is well.",
  "config.problem.no_default": "There is no default, so only the scenes listed here have a model; add default: provider/model.",
  "config.problem.secret_not_set": "{reference} is {state}, so this provider cannot be asked.",
  "config.problem.unused_provider": "No scene uses this provider; name it in models, as {provider}/MODEL, or remove it.",
  "config.problem.variable_not_set": "{reference} is {state}, so this provider cannot be asked.",
  "config.problem.capability_not_offered":
    "None of the candidates offers {capability}; add one that does, or give its profile a score for it.",
  "config.problem.unencrypted": "The key is sent without encryption; use https:// unless this is meant.",
  "config.problem.price_without_provider":
    'There is no provider "{name}", so this price counts only for what was asked of it before; there are {known}.',
  "config.problem.price_without_provider.meant":
    'There is no provider "{name}", so this price counts only for what was asked of it before; did you mean {meant}?',
  "config.problem.too_large.bytes": "The document is larger than {most}; shorten it.",
  "config.problem.too_large.parts": "The document has too many parts; shorten it.",
  "config.problem.alias_bomb.itself": "This alias stands inside what it repeats; write the value out.",
  "config.problem.alias_bomb.expansion": "The aliases repeat more than {most} values; write out what is needed.",
  "config.problem.duplicate_key.requires": '"{key}" is required twice; remove one.',
  "config.problem.unknown_key.meant": 'There is no "{key}" in {where}; did you mean {meant}?',
  "config.problem.unknown_key.merge":
    'There is no "{key}" in {where}, for YAML 1.2 merges no mappings; write the keys out or give the whole value by an alias.',
  "config.problem.unknown_key.elsewhere": 'There is no "{key}" in {where}; {advice}.',
  "config.problem.choice": 'There is no {what} "{name}"; there are {known}.',
  "config.problem.choice_meant": 'There is no {what} "{name}"; did you mean {meant}?',
  "config.problem.missing_key.kind": "A new profile needs a kind; add kind: with one of {known}.",
  "config.problem.missing_key.price":
    "A price says what a million tokens cost as input and as output; add {key}:, with 0 when nothing is paid for it.",
  "config.problem.missing_key.key": "The profile {profile} needs a key; add {line}.",
  "config.problem.wrong_type.nothing": "There is no value here; write {wanted} or remove the key.",
  "config.problem.wrong_type.quotes": "This must be {wanted}, not {found}; remove the quotes.",
  "config.problem.wrong_type.point": "This must be {wanted}; remove what stands after the point.",
  "config.problem.wrong_type.candidates": "Several models stand under candidates; write candidates: and this list below it.",
  "config.problem.wrong_type.provider_and_model": "A scene names its provider and model in one text; write {line}.",
  "config.problem.out_of_range.length": "This must have at most {most} characters.",
  "config.problem.out_of_range.entries": "A scene has at most {most} candidates.",
  "config.problem.out_of_range.not_finite": "This number is too large or is none; write a finite one.",
  "config.problem.out_of_range.path": "This must be an absolute path, which begins with a slash.",
  "config.problem.out_of_range.currency": "A currency is written in three capital letters, as in USD or CNY.",
  "config.problem.bad_name.merge": '"{name}" is no name of a {what}, for YAML 1.2 merges no mappings; write the entries out.',
  "config.problem.bad_name.reserved": '"{name}" cannot be a name; choose another one.',
  "config.problem.empty_scene.default": "The scene names no model; write provider/model.",
  "config.problem.empty_scene.inherits":
    "The scene names no model; write provider/model, or remove the line so that it uses default.",
  "config.problem.bad_model_reference.empty": "There is no model here; write provider/model.",
  "config.problem.bad_model_reference.no_provider": "The provider is missing before the slash; write provider/model.",
  "config.problem.bad_model_reference.no_model": "The model is missing after the slash; write provider/model.",
  "config.problem.bad_model_reference.no_slash":
    "A model is named with its provider; write provider/model, with a slash between.",
  "config.problem.bad_model_reference.blanks": "Blanks stand around the provider or the model; remove them.",
  "config.problem.bad_model_reference.length": "The name of a model has at most {most} characters.",
  "config.problem.bad_model_reference.stray_mark":
    "The name of the model ends with a mark that belongs to no name, or a bracket that nothing opens; remove it.",
  "config.problem.bad_model_reference.control":
    "The name of the model holds a line break or another control character; remove it.",
  "config.problem.bad_model_reference.star": "A * stands for the rest of a name, so it can only be at the end, as in provider/*.",
  "config.problem.unknown_provider.meant": 'There is no provider "{name}"; did you mean {meant}? There are {known}.',
  "config.problem.unknown_provider.profile":
    'There is no provider "{name}", only a profile of that name; add {name}: to providers. There are {known}.',
  "config.problem.unknown_profile.meant": 'There is no profile "{name}"; did you mean {meant}?',
  "config.problem.key_in_text.address":
    "This address holds a user name and a password, which do not belong there, and every revision is kept and shown; remove them, and name a key as apiKey: env:NAME.",
  "config.problem.bad_reference.empty":
    "There is no reference to a key here; write {line}, or remove the line when the provider needs no key.",
  "config.problem.bad_reference.own_token": "{name} lets people into this server and is no provider's; write {line}.",
  "config.problem.bad_reference.own_token_in_address":
    "{name} lets people into this server and is no provider's; write another variable.",
  "config.problem.bad_reference.address":
    "A {start} in an address begins the name of a variable, of letters, digits and _; write it as {braced}.",
  "config.problem.bad_reference.blanks": "This is not a reference to a key: blanks stand around it; write for example {line}.",
  "config.problem.bad_reference.file":
    "This is not a reference to a key: after file: stands an absolute path, as in file:/run/secrets/NAME; write for example {line}.",
  "config.problem.bad_reference.mixed":
    "This is not a reference to a key: it mixes env:NAME and {braced}; write for example {line}.",
  "config.problem.bad_reference.braces":
    "This is not a reference to a key: {braced} holds the name of a variable and stands alone; write for example {line}.",
  "config.problem.bad_reference.dollar":
    "This is not a reference to a key: a variable is written env:NAME or {braced}; write for example {line}.",
  "config.problem.bad_reference.variable":
    "This is not a reference to a key: after env: stands the name of a variable, of letters, digits and _, not beginning with a digit; write for example {line}.",
  "config.problem.bad_reference.case":
    "This is not a reference to a key: env: is written in small letters; write for example {line}.",
  "config.problem.bad_url.not_http_blanks": "This is not an http:// or https:// address; remove the blanks around it.",
  "config.problem.bad_url.not_http_variable": "This is not an http:// or https:// address; write a variable as {braced}.",
  "config.problem.bad_url.not_http_full":
    "This is not an http:// or https:// address; write it in full, as in https://api.example.com/v1.",
  "config.problem.bad_url.has_user":
    "This holds a user name or password, which do not belong in an address; remove them, and name a key as apiKey: env:NAME.",
  "config.problem.bad_url.has_query":
    "This holds a query or a fragment (? or #); give the base of the API only, up to /v1, and put the key into apiKey.",
  "config.problem.no_candidates.empty": "The list is empty; name at least one provider/model.",
  "config.problem.endpoint_in_url.base": "The address ends in {endpoint}, which every request adds by itself; write {base}.",
  "config.problem.secret_not_set.usable": "{reference} has white space around its value; it is cut off when it is used.",
  "config.problem.variable_not_set.usable": "{reference} has white space around its value; it is cut off when it is used.",
  "config.problem.not_yaml.version": "The configuration is YAML 1.2; remove the line that begins with %YAML.",
  "config.problem.not_yaml.no_anchor": "There is no anchor &{name} before this alias.",
  "config.problem.not_yaml.ALIAS_PROPS": "An alias (*name) takes neither an anchor nor a tag; remove it.",
  "config.problem.not_yaml.BAD_ALIAS": "An anchor or alias needs a name, as in &name and *name.",
  "config.problem.not_yaml.BAD_DIRECTIVE": "This line begins with % but is no YAML directive; remove it.",
  "config.problem.not_yaml.BAD_DQ_ESCAPE":
    "This is no escape sequence in double quotes; write \\\\ for a backslash, or use single quotes.",
  "config.problem.not_yaml.BAD_INDENT": "The indentation does not fit the lines above, or a bracket is not closed.",
  "config.problem.not_yaml.BAD_PROP_ORDER": "Anchors (&name) and tags (!name) stand after the dash or the colon.",
  "config.problem.not_yaml.BAD_SCALAR_START": "A value cannot begin with this character; put it in quotes.",
  "config.problem.not_yaml.BLOCK_AS_IMPLICIT_KEY":
    "A second key stands on this line; put it on a line of its own, or the value in quotes.",
  "config.problem.not_yaml.BLOCK_IN_FLOW": "Inside brackets everything is written with commas and brackets, not with lines.",
  "config.problem.not_yaml.DUPLICATE_KEY": "This key stands here a second time; keep one of them.",
  "config.problem.not_yaml.IMPOSSIBLE": "This cannot be read as YAML.",
  "config.problem.not_yaml.KEY_OVER_1024_CHARS":
    "The colon is too far from the beginning of its key; a key has at most 1024 characters.",
  "config.problem.not_yaml.MISSING_CHAR":
    "Something is missing here: a colon with a space after it, a comma, a closing quote or a closing bracket.",
  "config.problem.not_yaml.MULTILINE_IMPLICIT_KEY":
    "A key stands on one line; a colon is missing after it, or quotes around a value.",
  "config.problem.not_yaml.MULTIPLE_ANCHORS": "A value has at most one anchor (&name).",
  "config.problem.not_yaml.MULTIPLE_DOCS": "A second document begins here; a configuration is one document.",
  "config.problem.not_yaml.MULTIPLE_TAGS": "A value has at most one tag (!name).",
  "config.problem.not_yaml.NON_STRING_KEY": "A key must be a text; put it in quotes.",
  "config.problem.not_yaml.RESOURCE_EXHAUSTION": "This is nested too deep to be read.",
  "config.problem.not_yaml.TAB_AS_INDENT": "Indent with spaces; YAML allows no tabs here.",
  "config.problem.not_yaml.TAG_RESOLVE_FAILED": "Tags such as !name are not used here; remove it.",
  "config.problem.not_yaml.COLON_AT_END":
    "A value that ends with a colon is read as a key; put it in quotes, or write what is missing after the colon.",
  "config.problem.not_yaml.LINE_TOO_FAR_IN":
    "This line is indented further than the value above allows; indent it as the line above.",
  "config.problem.not_yaml.WRONG_BRACKET":
    "This bracket does not fit the one that is open here; remove it, or write the one that fits.",
  "config.problem.not_yaml.UNCLOSED_BRACKET":
    "The bracket that opens here is never closed; close it where the list or mapping ends.",
  "config.problem.not_yaml.UNCLOSED_QUOTE": "The quote that opens here is never closed; add one where the value ends.",
  "config.problem.not_yaml.UNEXPECTED_TOKEN": "This does not belong here; a quote or a bracket may be missing, or one too many.",
  "config.problem.not_yaml.BAD_COLLECTION_TYPE": "Tags such as !name are not used here; remove it.",
  // Words of these sentences.
  "config.problemUnchecked": " Until that is mended, lines {from} to {to} cannot be checked.",
  "config.found.text": "a text",
  "config.found.number": "a number",
  "config.found.flag": "true or false",
  "config.found.nothing": "nothing",
  "config.found.list": "a list",
  "config.found.mapping": "a mapping",
  "config.found.alias": "an alias",
  "config.where.document": "the document",
  "config.where.provider": "a provider",
  "config.where.profile": "a profile",
  "config.where.timeouts": "timeouts",
  "config.where.supervisor": "supervisor",
  "config.where.agents": "agents",
  "config.where.scene": "a scene",
  "config.where.price": "a price",
  "config.what.scene": "scene",
  "config.what.provider": "provider",
  "config.what.profile": "profile",
  "config.what.strategy": "strategy",
  "config.what.capability": "capability",
  "config.what.kind": "kind",
  "config.what.tokenizer": "tokenizer",
  "config.what.sandbox": "sandbox",
  "config.wanted.text": "a text",
  "config.wanted.list": "a list",
  "config.wanted.mapping": "a mapping",
  "config.wanted.number": "a number",
  "config.wanted.whole": "a whole number",
  "config.wanted.wholeOrFalse": "a whole number or false",
  "config.wanted.flag": "true or false",
  "config.wanted.providers": "a list of providers",
  "config.wanted.folders": "a list of folders",
  "config.wanted.references": "a list of provider/model",
  "config.wanted.agents": "a mapping of what agent runs may do",
  "config.wanted.supervisor": "a mapping of enabled and interval",
  "config.wanted.suchAs": "{type} such as {example}",
  "config.wanted.twoExamples": "{first} and {second}",
  "config.advice.interval": "write it as interval in supervisor",
  "config.advice.approval": "each run says in its policy who approves",
  "config.advice.supervisorModel": "name its model in models, as supervisor: provider/model",
  "config.advice.model": "name the model in models, as provider/model",
  "config.advice.kind": "the kind belongs to a profile; name one as profile",
  "config.advice.profileKey": "name the key at the provider that uses the profile",
} as const;
