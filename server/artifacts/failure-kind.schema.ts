import { z } from "zod";
import { FAILURE_KINDS, type FailureKind } from "./failure-kind.rules";

export const failureKindSchema = z.enum(Object.keys(FAILURE_KINDS) as [FailureKind, ...FailureKind[]]);
