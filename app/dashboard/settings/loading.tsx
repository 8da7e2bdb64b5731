export { SettingsSkeleton as default } from '@/components/dashboard/skeletons';
