//! The matcher over the mixed families: it must pass a million keys a second on one core.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use quorate_catalog::{Catalog, Keys, Matcher};

fn matcher(c: &mut Criterion) {
    let catalog = Catalog::built_in();
    let matcher = Matcher::new(catalog, &Keys::default());
    let seeds = catalog.families.iter().filter(|family| !family.internal);
    let keys: Vec<Vec<u8>> = seeds.map(|family| family.main_form().sample.clone().into_bytes()).collect();
    let mut group = c.benchmark_group("matcher");
    group.throughput(Throughput::Elements(keys.len() as u64));
    group.bench_function("mixed families", |b| {
        b.iter(|| keys.iter().filter(|key| matcher.find(black_box(key)).is_some()).count());
    });
    group.finish();
}

criterion_group!(benches, matcher);
criterion_main!(benches);
