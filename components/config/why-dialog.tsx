"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { Dialog } from "@/components/ui/dialog";
import { useConfig } from "./config-state";
import type { DocumentChoice } from "./document-choice";
import { WhyPanel } from "./why-panel";

interface WhyDialogProps {
  scene: string;
  choice: DocumentChoice;
  onClose: () => void;
}

export function WhyDialog({ scene, choice, onClose }: WhyDialogProps) {
  const { t } = useI18n();
  const { evaluation } = useConfig();
  return (
    <Dialog open size="lg" title={t("config.why.title")} onOpenChange={(open) => !open && onClose()}>
      <WhyPanel scene={scene} choice={choice} scenes={evaluation?.scenes.map((row) => row.scene) ?? []} />
    </Dialog>
  );
}
