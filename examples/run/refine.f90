! Solves A x = b by LAPACK's factors, and refines x by its residual. Prints the relative error.
!
! gfortran -O2 -g -mfma -o refine examples/run/refine.f90 -llapack -lblas
module steps
  implicit none
contains
  ! b - A x, where most bits cancel.
  subroutine residual(n, a, x, b, r)
    integer, intent(in) :: n
    real, intent(in) :: a(n, n), x(n), b(n)
    real, intent(out) :: r(n)
    integer :: i, j
    r = b
    do j = 1, n
      do i = 1, n
        r(i) = r(i) - a(i, j) * x(j)
      end do
    end do
  end subroutine residual
end module steps

program refine
  use steps
  implicit none
  integer, parameter :: n = 64
  real :: a(n, n), factors(n, n), x(n), b(n), r(n), exact(n)
  integer :: pivots(n), info, i, j, step
  integer(8) :: state
  state = 1
  do j = 1, n
    do i = 1, n
      state = mod(state * 1103515245_8 + 12345_8, 2147483648_8)
      a(i, j) = real(state) / 2147483648.0 - 0.5
    end do
    a(j, j) = a(j, j) + 8
    exact(j) = 1
  end do
  ! b is rounded once, from binary64.
  b = real(matmul(dble(a), dble(exact)))
  factors = a
  call sgetrf(n, n, factors, n, pivots, info)
  x = 0
  do step = 1, 6
    call residual(n, a, x, b, r)
    call sgetrs('N', n, 1, factors, n, pivots, r, n, info)
    x = x + r
  end do
  print '(a, es9.1)', 'relative error', maxval(abs(dble(x) - 1))
end program refine
