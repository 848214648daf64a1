"use client";

import { useMutation } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useRouter } from "next/navigation";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";

export function StartSampleButton() {
  const { t } = useI18n();
  const api = useTRPC();
  const router = useRouter();
  const errorText = useErrorText();
  const start = useMutation(
    api.runs.startSample.mutationOptions({
      onSuccess: (run) => {
        toast.success(t("runs.sampleStarted"));
        router.push(paths.run(run.id));
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("runs.sampleFailed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  return (
    // Still pending while the run's page opens, so that a second press starts no second sample.
    <Button
      icon={<FlaskConical aria-hidden className="size-4" />}
      pending={start.isPending || start.isSuccess}
      onClick={() => start.mutate()}
    >
      {t("runs.runSample")}
    </Button>
  );
}
