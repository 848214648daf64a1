import { AppError } from "@/server/shared/app-error";

/** The indexes of `--chunks 1,2,3`; undefined when it was not given. */
export function chunksOf(list: string | undefined): number[] | undefined {
  if (list === undefined) return undefined;
  return list.split(",").map((part) => {
    if (!/^[1-9]\d{0,8}$/.test(part.trim()))
      throw new AppError("invalid_input", `--chunks takes indexes like 1,2,3; "${part}" is none.`);
    return Number(part);
  });
}
