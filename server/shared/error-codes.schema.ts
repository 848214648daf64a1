import { z } from "zod";
import { ERROR_CODES, type ErrorCode } from "./error-codes.rules";

export const errorCodeSchema = z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]);
