; The few functions that compiled code expects around it: memory, counted references, the square root.

@__heap_base = external global i8
@top = internal global i32 0
@unused = internal global [33 x ptr] zeroinitializer

%info = type { i64, ptr, ptr, ptr, i64, i32 }

declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
declare void @llvm.memset.p0.i32(ptr, i8, i32, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)

define double @sqrt(double %x) {
  %root = call double @llvm.sqrt.f64(double %x)
  ret double %root
}

; The address of so many bytes that nobody has had before, filled with zeros; 0 if there are none.
define i32 @reserve(i32 %size) {
  %before = load i32, ptr @top
  %is_first = icmp eq i32 %before, 0
  %base = ptrtoint ptr @__heap_base to i32
  %from = select i1 %is_first, i32 %base, i32 %before
  %above = add i32 %from, 63
  %address = and i32 %above, -64
  %begin = zext i32 %address to i64
  %length = zext i32 %size to i64
  %end = add i64 %begin, %length
  %is_too_far = icmp ugt i64 %end, 4294901760
  br i1 %is_too_far, label %none, label %within

within:
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %many = zext i32 %pages to i64
  %room = shl i64 %many, 16
  %missing = sub i64 %end, %room
  %is_enough = icmp sle i64 %missing, 0
  br i1 %is_enough, label %done, label %grow

grow:
  %rounded = add i64 %missing, 65535
  %more = lshr i64 %rounded, 16
  %wanted = trunc i64 %more to i32
  %old = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %wanted)
  %has_failed = icmp eq i32 %old, -1
  br i1 %has_failed, label %none, label %done

done:
  %after = trunc i64 %end to i32
  store i32 %after, ptr @top
  ret i32 %address

none:
  ret i32 0
}

; Fill memory with zeros; its first word says how many bytes.
define i32 @clear(i32 %address) {
  %at = inttoptr i32 %address to ptr
  %size = load i32, ptr %at
  call void @llvm.memset.p0.i32(ptr %at, i8 0, i32 %size, i1 false)
  ret i32 0
}

; Give back an array that a function has returned.
define i32 @release(i32 %address) {
  %info = inttoptr i32 %address to ptr
  call void @NRT_decref(ptr %info)
  ret i32 0
}

; Arrays that functions make: a counted reference in 64 bytes, then the elements. Sizes are powers of two.
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %with = add i64 %size, 127
  %whole = call i64 @llvm.smax.i64(i64 %with, i64 127)
  %last = sub i64 %whole, 64
  %zeros = call i64 @llvm.ctlz.i64(i64 %last, i1 false)
  %wide = sub i64 64, %zeros
  %bits = trunc i64 %wide to i32
  %slot = getelementptr [33 x ptr], ptr @unused, i32 0, i32 %bits
  %first = load ptr, ptr %slot
  %is_none = icmp eq ptr %first, null
  br i1 %is_none, label %new, label %again

again:
  %next = load ptr, ptr %first
  store ptr %next, ptr %slot
  br label %filled

new:
  %bytes = shl i32 1, %bits
  %address = call i32 @reserve(i32 %bytes)
  %is_full = icmp eq i32 %address, 0
  br i1 %is_full, label %stop, label %made

made:
  %fresh = inttoptr i32 %address to ptr
  br label %filled

filled:
  %info = phi ptr [ %first, %again ], [ %fresh, %made ]
  %elements = getelementptr i8, ptr %info, i32 64
  store i64 1, ptr %info
  %data = getelementptr %info, ptr %info, i32 0, i32 3
  store ptr %elements, ptr %data
  %held = getelementptr %info, ptr %info, i32 0, i32 4
  store i64 %size, ptr %held
  %kind = getelementptr %info, ptr %info, i32 0, i32 5
  store i32 %bits, ptr %kind
  ret ptr %info

stop:
  call void @llvm.trap()
  unreachable
}

declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.trap()

define void @NRT_incref(ptr %info) {
  %is_none = icmp eq ptr %info, null
  br i1 %is_none, label %done, label %count

count:
  %before = load i64, ptr %info
  %after = add i64 %before, 1
  store i64 %after, ptr %info
  br label %done

done:
  ret void
}

define void @NRT_decref(ptr %info) {
  %is_none = icmp eq ptr %info, null
  br i1 %is_none, label %done, label %count

count:
  %before = load i64, ptr %info
  %after = sub i64 %before, 1
  store i64 %after, ptr %info
  %is_last = icmp eq i64 %after, 0
  br i1 %is_last, label %free, label %done

free:
  %kind = getelementptr %info, ptr %info, i32 0, i32 5
  %bits = load i32, ptr %kind
  %slot = getelementptr [33 x ptr], ptr @unused, i32 0, i32 %bits
  %next = load ptr, ptr %slot
  store ptr %next, ptr %info
  store ptr %info, ptr %slot
  br label %done

done:
  ret void
}

; The product of two numbers of 128 bits, by which it is seen whether one of 64 bits would overflow.
define void @__multi3(ptr %product, i64 %a, i64 %a_high, i64 %b, i64 %b_high) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %c0 = lshr i64 %p00, 32
  %m0 = and i64 %p01, 4294967295
  %m1 = and i64 %p10, 4294967295
  %s0 = add i64 %c0, %m0
  %s1 = add i64 %s0, %m1
  %h0 = lshr i64 %p01, 32
  %h1 = lshr i64 %p10, 32
  %h2 = lshr i64 %s1, 32
  %t0 = add i64 %p11, %h0
  %t1 = add i64 %t0, %h1
  %t2 = add i64 %t1, %h2
  %x0 = mul i64 %a, %b_high
  %x1 = mul i64 %a_high, %b
  %t3 = add i64 %t2, %x0
  %high = add i64 %t3, %x1
  %low = mul i64 %a, %b
  store i64 %low, ptr %product
  %upper = getelementptr i64, ptr %product, i32 1
  store i64 %high, ptr %upper
  ret void
}
