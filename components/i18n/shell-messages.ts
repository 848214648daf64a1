export const shellEn = {} as const;

export const shellZh = {} satisfies Record<keyof typeof shellEn, string>;
