/** Runs side by side: as many columns as a wide screen holds. */
export const MOST_COMPARED = 8;
