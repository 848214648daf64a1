"use client";

import { Eye, EyeOff } from "lucide-react";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { Button, IconButton } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { type SignInProblem, useSignIn } from "./use-sign-in";

const TICK_MS = 1_000;

interface SignInFormProps {
  /** Where to go on; a path of this server. */
  next: string;
  /** What was wrong with the form that was sent without a script. */
  problem?: SignInProblem | null;
  /** Gets the path that the server leads on to. */
  onSignedIn: (next: string) => void;
}

/** A form that works by itself; with a script it stays on the page and says what is wrong. The token is kept nowhere but in its field. */
export function SignInForm({ next, problem: first = null, onSignedIn }: SignInFormProps) {
  const { t } = useI18n();
  const now = useNow(TICK_MS);
  const field = useRef<HTMLInputElement>(null);
  const [isShown, setShown] = useState(false);
  const { problem, isBusy, signIn } = useSignIn(first, onSignedIn);
  const waitS = problem?.kind === "tooMany" && problem.until !== null && now !== null ? secondsUntil(problem.until, now) : null;
  const isOver = waitS !== null && waitS <= 0;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    // The dialog around it may stand in a form of the page.
    event.stopPropagation();
    const input = field.current;
    if (input === null || (waitS !== null && waitS > 0)) return;
    if (await signIn(input.value, next)) {
      input.focus();
      input.select();
    }
  };

  return (
    <form method="post" action={paths.api.signIn()} onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <input type="hidden" name="next" value={next} />
      {/* Password managers file what they keep under a name. */}
      <input type="text" name="username" autoComplete="username" value="switchyard" readOnly hidden />
      <Field
        label={t("login.token")}
        hint={t("login.tokenHint")}
        error={problem === null || isOver ? null : <ProblemWords problem={problem} waitS={waitS} />}
      >
        {(control) => (
          <div className="flex gap-1.5">
            <Input
              {...control}
              ref={field}
              name="token"
              type={isShown ? "text" : "password"}
              autoComplete="current-password"
              autoCapitalize="none"
              spellCheck={false}
              autoFocus
              className="font-mono"
            />
            <IconButton
              label={t(isShown ? "login.hide" : "login.show")}
              icon={isShown ? <EyeOff aria-hidden className="size-4" /> : <Eye aria-hidden className="size-4" />}
              aria-pressed={isShown}
              onClick={() => setShown(!isShown)}
            />
          </div>
        )}
      </Field>
      <Button
        type="submit"
        variant="primary"
        pending={isBusy}
        disabledReason={waitS !== null && !isOver ? t("login.waitSeconds", { seconds: waitS }) : null}
      >
        {t("login.submit")}
      </Button>
    </form>
  );
}

function secondsUntil(until: number, now: number): number {
  return Math.ceil((until - now) / 1_000);
}

/** The sentence is read aloud once; the seconds that pass are not. */
function ProblemWords({ problem, waitS }: { problem: SignInProblem; waitS: number | null }): ReactNode {
  const { t, locale } = useI18n();
  switch (problem.kind) {
    case "missing":
      return <span role="alert">{t("login.missing")}</span>;
    case "wrong":
      return <span role="alert">{t("login.wrong")}</span>;
    case "network":
      return (
        <span role="alert">
          {t("error.network")} {t("error.networkDetail")}
        </span>
      );
    case "refused":
      // The server speaks English: between other words it is a quotation.
      return <span role="alert">{locale === "en" ? problem.message : `“${problem.message}”`}</span>;
    case "tooMany":
      return (
        <>
          <span role="alert">{t("login.tooMany")}</span>
          <span className="block">{waitS === null ? t("login.waitAMinute") : t("login.waitSeconds", { seconds: waitS })}</span>
        </>
      );
  }
}
