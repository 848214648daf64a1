export const newRunEn = {} as const;

export const newRunZh = {} satisfies Record<keyof typeof newRunEn, string>;
