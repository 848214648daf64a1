import { RevisionPage } from "@/components/config/revision-page";

export default async function ConfigRevisionRoute({ params }: { params: Promise<{ number: string }> }) {
  const { number } = await params;
  return <RevisionPage number={number} />;
}
