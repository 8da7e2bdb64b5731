/** The files that every gateway has for trying tools out. */
export const SAMPLES = [
  { id: 'asset_sample_photo', name: 'photo.jpg', type: 'image/jpeg', about: 'A photo' },
  { id: 'asset_sample_logo', name: 'logo.png', type: 'image/png', about: 'A logo' },
  { id: 'asset_sample_report', name: 'report.pdf', type: 'application/pdf', about: 'A PDF document' },
  { id: 'asset_sample_sales', name: 'sales.csv', type: 'text/csv', about: 'A table' },
  { id: 'asset_sample_clip', name: 'clip.mp4', type: 'video/mp4', about: 'A short video' },
  { id: 'asset_sample_tone', name: 'tone.mp3', type: 'audio/mpeg', about: 'A sound' },
] as const;
