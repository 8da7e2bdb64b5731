import { CatalogueSkeleton } from '@/components/site/catalogue-skeleton';

export default function Loading() {
  return <CatalogueSkeleton />;
}
