/** Words of the run page, its tabs and the chunk page. */
export const runDetailEn = {} as const;

export const runDetailZh = {} satisfies Record<keyof typeof runDetailEn, string>;
