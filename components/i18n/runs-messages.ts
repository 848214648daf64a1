export const runsEn = {} as const;

export const runsZh = {} satisfies Record<keyof typeof runsEn, string>;
