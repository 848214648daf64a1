import { BackendNotFound } from "@/components/backends/backend-not-found";
import { BackendPage } from "@/components/backends/backend-page";
import { hasBackend } from "@/server/api/page-lookup";

export default async function BackendRoute({ params }: { params: Promise<{ profile: string }> }) {
  const { profile: inAddress } = await params;
  const profile = decodeAddress(inAddress);
  if (!(await hasBackend(profile))) return <BackendNotFound profile={profile} />;
  return <BackendPage profile={profile} />;
}

/** Next hands the part of the address on as it stands there. */
function decodeAddress(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A broken % sequence names nothing.
    return part;
  }
}
