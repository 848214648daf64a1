import { z } from "zod";
import { MAX_CHUNK_TOKENS, MIN_CHUNK_TOKENS } from "./chunk-limits.rules";

export const chunkTokensSchema = z.int().min(MIN_CHUNK_TOKENS).max(MAX_CHUNK_TOKENS);
